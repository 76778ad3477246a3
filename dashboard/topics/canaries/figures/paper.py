"""Tables 2, 4 and 5 of Parikh et al. 2022 on canary extraction, with our results.

The paper does not say how it chooses the best number of repetitions. We choose the most whole secrets, then the fewest
wrong words.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries
from dashboard.topics.canaries.figures.outcome import MEASURES, Measure
from dashboard.topics.canaries.figures.printed import Setting, Table

AXES: Mapping[Measure, str] = {"hamming": "Share of wrong words", "accuracy": "Whole secrets extracted"}
"""Titles of the axes."""

SCHEDULE, STRONGEST, EXHAUSTIVE = "paper", "annealed_descent", "exhaustive"
MARKS = dict(zip((SCHEDULE, STRONGEST, EXHAUSTIVE), theme.distinct(3), strict=True))
"""Looks of our methods that are compared with the paper."""

SAYS = (
    "The paper prints no intervals; each of its values is a mean over 10 secrets. It does not give the number of "
    "restarts of its attack or the length of training, so its networks may memorise more or less than ours. Our 95% "
    "intervals are over secrets."
)
"""Limits of the comparison."""

Results = Mapping[Setting, Result]
"""Our results by setting."""

_PAPER = "printed"
_NUMBERS = tuple(f"{measure}{end}" for measure in MEASURES for end in canaries.ENDS)


def method_name(method: str) -> str:
    """Return the name of one of our methods beside the paper's values.

    >>> method_name("paper")
    'The paper’s schedule, here'
    """
    return f"{canaries.method(method)}, here"


_LOOKS: lanes.Looks = {
    _PAPER: Look("The paper’s value", theme.Mark(theme.PAPER, "diamond"), 0, hollow=True),
    **{name: Look(method_name(name), mark, lane) for lane, (name, mark) in enumerate(MARKS.items(), 1)},
}


@once
def points(table: Table, results: Results) -> pd.DataFrame:
    """Return the lines of a table, each with our best result for each method.

    Returns:
        Columns pattern, row, series, repetitions, tried (how many numbers of repetitions were compared), and both
        measures with interval and chance.
    """
    rows: list[dict[str, Any]] = []
    for line in table.lines:
        line_keys = {"pattern": line.pattern, "row": line.setting.label}
        printed = {"series": _PAPER, "repetitions": line.repetitions, "tried": len(table.repetitions)}
        rows.append({**line_keys, **printed, "hamming": line.hamming, "accuracy": line.accuracy, **line.chances()})
        if line.setting in results:
            cells = results[line.setting].tables["cells"]
            cells = cells[(cells["pattern"] == line.pattern) & cells["repetitions"].isin(table.repetitions)]
            rows += [
                {**line_keys, **_best(cells[cells["method"] == name])} for name in MARKS if name in set(cells["method"])
            ]
    frame = pd.DataFrame(rows, columns=["pattern", "row", "series", "repetitions", "tried", *_NUMBERS])
    return frame.astype(dict.fromkeys(_NUMBERS, "float64"))


@once
def figure(points: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw `points` of one pattern: in each row the paper's value, and ours with their intervals."""
    rows = canaries.of_measure(points, measure)
    looks = {name: look for name, look in _LOOKS.items() if name in set(rows["series"])}
    several = int(rows["tried"].max()) > 1
    drawing = lanes.blank(AXES[measure], list(rows["row"]), looks, right=62 if several else 16, listed=True)
    drawing.update_xaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.25)
    notes = [f"{times:,} ×" for times in rows["repetitions"]] if several else []
    lanes.draw(drawing, rows, looks, [_hover(row, measure) for row in records(rows)], notes)
    lanes.chance(drawing, float(rows["chance"].mean()))
    return drawing.figure()


@once
def sentence(points: pd.DataFrame, measure: Measure) -> str:
    """Read `points` of one pattern aloud: the paper's values, and ours."""
    values = canaries.of_measure(points, measure)
    names = list(dict.fromkeys(values["row"]))
    printed = values[values["series"] == _PAPER]
    text = f"{MEASURES[measure]} for {_numbers(names)}. The paper: {_listed(printed)}."
    methods = [name for name in MARKS if name in set(values["series"])]
    if not methods:
        return f"{text} Our result is not computed yet."
    for name in methods:
        method_points = values[values["series"] == name]
        scope = "" if len(method_points) == len(names) else f" ({_numbers(method_points['row'].tolist())} only)"
        text += f" {method_name(name)}: {_listed(method_points)}{scope}."
    return text


@once
def verdict(points: pd.DataFrame, measure: Measure) -> str:
    """Compare our run of the paper's schedule and our strongest method with all values of a table."""
    values = canaries.of_measure(points, measure)
    printed = {(row.pattern, row.row): row.value for row in records(values[values["series"] == _PAPER])}
    sentences = []
    for name in (SCHEDULE, STRONGEST):
        compared = records(values[values["series"] == name])
        if not compared:
            continue
        sides = [_stronger(row, printed[row.pattern, row.row], measure) for row in compared]
        beaten = sum(_stronger(row, row.chance, measure) > 0 for row in compared)
        sentences.append(
            f"{method_name(name)}, compared with {counted(len(compared), 'value')} of the paper: stronger beyond the "
            f"interval in {sides.count(1)}, weaker in {sides.count(-1)}, not distinguishable in {sides.count(0)}; "
            f"better than chance in {beaten}."
        )
    if not sentences:
        return f"None of our results for the {counted(len(printed), 'value')} of the table is computed yet."
    return " ".join(sentences)


@once
def choice(table: Table, points: pd.DataFrame) -> str:
    """Say how the number of repetitions was chosen for the table and for our `points`."""
    if len(table.repetitions) == 1:
        return "Each secret is in the training data once."
    ours = points[points["series"] != _PAPER].drop_duplicates(["row", "tried"])
    fewer = [f"of {row.tried} for {row.row}" for row in records(ours) if row.tried < len(table.repetitions)]
    tried = joined([f"{times:,}" for times in table.repetitions])
    ours_tried = f", ours {joined(fewer)}" if fewer else ""
    return (
        f"Each value is the best of {len(table.repetitions)} numbers of repetitions ({tried}){ours_tried}, chosen "
        "after the fact. That favours the attack, in the paper and here, and the intervals do not account for it. “×” "
        "marks the chosen number; ours has the most whole secrets, then the fewest wrong words."
    )


def _best(cells: pd.DataFrame) -> dict[str, Any]:
    """Return the best of one method's cells: the most whole secrets, then the fewest wrong words."""
    order = cells.sort_values(["accuracy", "hamming", "repetitions"], ascending=[False, True, True])
    best = records(order)[0]
    numbers = {name: getattr(best, name) for name in _NUMBERS}
    return {"series": best.method, "repetitions": best.repetitions, "tried": len(cells), **numbers}


def _listed(points: pd.DataFrame) -> str:
    return joined([percent(row.value) for row in records(points)])


def _numbers(rows: list[str]) -> str:
    """Return the names of several rows as one.

    >>> _numbers(["n = 4", "n = 7<br>of 10"])
    'n = 4 and 7 of 10'
    """
    return f"n = {joined([_plain(row).removeprefix('n = ') for row in rows])}"


def _plain(row: str) -> str:
    return row.replace("<br>", " ")


def _stronger(row: Any, value: float, measure: Measure) -> int:
    """Return 1 if the whole interval means a stronger attack than a value, −1 if a weaker one, else 0."""
    side = int(row.low > value) - int(row.high < value)
    return side if measure == "accuracy" else -side


def _hover(row: Any, measure: Measure) -> str:
    best = f", the best of {row.tried} tried" if row.tried > 1 else ""
    return (
        f"<b>{_plain(row.row)}: {_LOOKS[row.series].name}</b><br>{AXES[measure]}: {measured_in(row)}<br>"
        f"{canaries.shown_times(row.repetitions).lower()}{best}"
    )
