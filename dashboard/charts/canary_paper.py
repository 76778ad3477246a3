"""Tables 2, 4 and 5 of Parikh et al. 2022, on secrets that are read out of a network, and how ours stand beside them.

What the paper chooses the best number of repetitions by is not said; ours is chosen by the most secrets read whole,
then by the fewest wrong words.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from dashboard.charts import canaries, lanes, theme
from dashboard.charts.canary_printed import Setting, Table
from dashboard.charts.extraction_outcome import MEASURES, Measure
from dashboard.charts.lanes import Look
from dashboard.charts.tables import records
from dashboard.charts.wording import counted, joined, measured, percent

AXES: Mapping[Measure, str] = {"hamming": "Wrong words (HDT)", "accuracy": "Secrets read whole"}
"""Titles of the axes."""

SCHEDULE, STRONGEST, EXHAUSTIVE = "paper", "annealed_descent", "exhaustive"
MARKS = dict(zip((SCHEDULE, STRONGEST, EXHAUSTIVE), theme.distinct(3), strict=True))
"""How those of our methods are drawn that stand beside the paper's values."""

SAYS = (
    "The paper prints no interval; each of its values is of 10 secrets. It does not say how many restarts its attack "
    "has or how long its networks are trained; they may hold more or less than ours. Our intervals are 95% intervals "
    "over secrets."
)
"""What has to be known before its figures and ours are compared."""

Results = Mapping[Setting, Result]
"""Ours, by which secrets they are about."""

_PAPER = "printed"
_ENDS = ("", "_low", "_high", "_chance")
_NUMBERS = tuple(f"{measure}{end}" for measure in MEASURES for end in _ENDS)


def called(method: str) -> str:
    """Return what one of our methods is called beside the paper's values.

    >>> called("paper")
    'The paper’s schedule, here'
    """
    return f"{canaries.method(method)}, here"


_LOOKS: lanes.Looks = {
    _PAPER: Look("The paper’s value", theme.Mark(theme.PAPER, "diamond", "dot"), 0, hollow=True),
    **{name: Look(called(name), mark, lane) for lane, (name, mark) in enumerate(MARKS.items(), 1)},
}


def points(table: Table, results: Results) -> pd.DataFrame:
    """Return the lines of a table, each with the best of ours for each method beside it.

    Returns:
        Columns pattern, row, series, repetitions, tried (of how many repetitions it is the best), and both measures
        with interval and chance.
    """
    rows: list[dict[str, Any]] = []
    for line in table.lines:
        place = {"pattern": line.pattern, "row": line.setting.asked}
        printed = {"series": _PAPER, "repetitions": line.repetitions, "tried": len(table.repetitions)}
        rows.append({**place, **printed, "hamming": line.hamming, "accuracy": line.accuracy, **line.chances()})
        if line.setting in results:
            cells = results[line.setting].tables["cells"]
            own = cells[(cells["pattern"] == line.pattern) & cells["repetitions"].isin(table.repetitions)]
            rows += [{**place, **_best(own[own["method"] == name])} for name in MARKS if name in set(own["method"])]
    frame = pd.DataFrame(rows, columns=["pattern", "row", "series", "repetitions", "tried", *_NUMBERS])
    return frame.astype(dict.fromkeys(_NUMBERS, "float64"))


def figure(shown: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw the lines of one pattern: in each row the paper's value and ours with their intervals.

    Args:
        shown: Rows of `points`.
        measure: What is drawn.
    """
    own = _measure(shown, measure)
    looks = {name: look for name, look in _LOOKS.items() if name in set(own["series"])}
    chosen = int(own["tried"].max()) > 1
    drawing = lanes.blank(AXES[measure], own["row"].nunique(), looks, right=62 if chosen else 16, listed=True)
    drawing.update_xaxes(range=[-0.03, 1.05], tickformat=".0%", dtick=0.25)
    notes = [f"{times:,} ×" for times in own["repetitions"]] if chosen else []
    lanes.draw(drawing, own, looks, [_hover(row, measure) for row in records(own)], notes)
    lanes.chance(drawing, float(own["chance"].mean()))
    return drawing.figure()


def sentence(shown: pd.DataFrame, measure: Measure) -> str:
    """Read the lines of one pattern aloud: the paper's values, and ours.

    Args:
        shown: Rows of `points`.
        measure: What is drawn.
    """
    own = _measure(shown, measure)
    rows = list(dict.fromkeys(own["row"]))
    printed = own[own["series"] == _PAPER]
    text = f"{MEASURES[measure]} for {_numbers(rows)}. The paper: {_listed(printed)}."
    found = [name for name in MARKS if name in set(own["series"])]
    if not found:
        return f"{text} Ours is not computed here yet."
    for name in found:
        mine = own[own["series"] == name]
        only = "" if len(mine) == len(rows) else f" ({_numbers(mine['row'].tolist())} only)"
        text += f" {called(name)}: {_listed(mine)}{only}."
    return text


def verdict(shown: pd.DataFrame, measure: Measure) -> str:
    """Say over all lines where our run of the paper's schedule, and our strongest method, differ from its values.

    Args:
        shown: As `points` returned it.
        measure: What is compared.
    """
    own = _measure(shown, measure)
    printed = {(row.pattern, row.row): row.value for row in records(own[own["series"] == _PAPER])}
    said = []
    for name in (SCHEDULE, STRONGEST):
        rows = records(own[own["series"] == name])
        if not rows:
            continue
        sides = [_stronger(row, printed[row.pattern, row.row], measure) for row in rows]
        beaten = sum(_stronger(row, row.chance, measure) > 0 for row in rows)
        said.append(
            f"{called(name)}, beside {counted(len(rows), 'value')} of the paper: stronger beyond the interval in "
            f"{sides.count(1)}, weaker in {sides.count(-1)}, not told apart in {sides.count(0)}; better than guessing "
            f"in {beaten}."
        )
    if not said:
        return f"Of the {counted(len(printed), 'value')} of the table none of ours is computed here yet."
    return " ".join(said)


def choice(table: Table, shown: pd.DataFrame) -> str:
    """Say what the best of several repetitions is worth, and of how many ours are.

    Args:
        table: One of the paper's.
        shown: As `points` returned it.
    """
    if len(table.repetitions) == 1:
        return "Each secret stands among the training data once."
    ours = shown[shown["series"] != _PAPER].drop_duplicates(["row", "tried"])
    fewer = [f"of {row.tried} for {row.row}" for row in records(ours) if row.tried < len(table.repetitions)]
    tried = joined([f"{times:,}" for times in table.repetitions])
    return (
        f"Each value is the best of {len(table.repetitions)} numbers of repetitions ({tried}){_here(fewer)}, chosen "
        "after the fact: that flatters the attack, in the paper and here, and the intervals know nothing of it. “×” is "
        "how often the secret was shown where it was best; ours are chosen by the most whole secrets, then by the "
        "fewest wrong words."
    )


def _best(cells: pd.DataFrame) -> dict[str, Any]:
    """Return the best of some cells of one method: the most secrets read whole, then the fewest wrong words."""
    order = cells.sort_values(["accuracy", "hamming", "repetitions"], ascending=[False, True, True])
    best = records(order)[0]
    numbers = {name: getattr(best, name) for name in _NUMBERS}
    return {"series": best.method, "repetitions": best.repetitions, "tried": len(cells), **numbers}


def _measure(shown: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return one measure of each row as value, low, high and chance."""
    names = {f"{measure}{end}": end.removeprefix("_") or "value" for end in _ENDS}
    return shown[["pattern", "row", "series", "repetitions", "tried", *names]].rename(columns=names)


def _here(fewer: list[str]) -> str:
    return f", ours {joined(fewer)} that were tried" if fewer else ""


def _listed(own: pd.DataFrame) -> str:
    return joined([percent(row.value) for row in records(own)])


def _numbers(rows: list[str]) -> str:
    """Return the names of rows as one.

    >>> _numbers(["n = 4", "n = 7<br>of 10"])
    'n = 4 and 7 of 10'
    """
    return f"n = {joined([_plain(row).removeprefix('n = ') for row in rows])}"


def _plain(row: str) -> str:
    return row.replace("<br>", " ")


def _stronger(own: Any, value: float, measure: Measure) -> int:
    """Return 1 where the whole interval is a stronger attack than a value, −1 where a weaker one, else 0."""
    side = int(own.low > value) - int(own.high < value)
    return side if measure == "accuracy" else -side


def _hover(row: Any, measure: Measure) -> str:
    best = f", the best of {row.tried} tried" if row.tried > 1 else ""
    return (
        f"<b>{_plain(row.row)}: {_LOOKS[row.series].name}</b><br>{AXES[measure]}: "
        f"{measured(row.value, row.low, row.high)}<br>{canaries.shown(row.repetitions).lower()}{best}"
    )
