"""Canary extraction behind each defense: by the paper's attack, by a stronger one, and by exposure.

Source: Parikh et al. 2022, Table 3.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted, lowered, spoken
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.kit.words import number
from dashboard.topics.canaries.figures import canaries
from dashboard.topics.canaries.figures.printed import DEFENDED, DEFENDED_REPETITIONS

View = Literal["paper", "annealed_descent", "exposure"]

VIEWS: tuple[View, ...] = ("paper", "annealed_descent", "exposure")
"""Results of two methods of extraction, or the exposure when all secrets are scored."""

PLAIN = "No defense"
"""Name of the row without a defense, and how those of networks that were trained otherwise begin."""
_HAMMING, _BITS = "Share of wrong words", "Exposure of the true secret (bits)"
PRIVATE = "Private training"
_SINGLE = {
    "dropout": "Dropout (D)",
    "early_stopping": "Early stopping (ES)",
    "character_embeddings": "Character embeddings (CE)",
    "dp_sgd": PRIVATE,
}
_SHORT = {"dropout": "D", "early_stopping": "ES", "character_embeddings": "CE", "dp_sgd": "private"}
WITHOUT_NOISE = f"{PLAIN}, in batches"
"""How the name of the row of the same training as private training, without noise, begins."""
_TRAINED = {"batch": "in batches of {:,}", "epochs": "for {:,} epochs"}
_PAPERS = ("dropout", "early_stopping", "character_embeddings")
_NUMBERS = ("value", "low", "high", "chance", "ceiling", "rank")
_COLUMNS = ("row", "pattern", "repetitions", "networks", "printed", *_NUMBERS)
_HOLLOW = "Hollow marks are the paper’s (Table 3, printed without intervals)."


def view_name(view: View) -> str:
    """Return the name of a view."""
    return "Exposure: all secrets scored" if view == "exposure" else f"Wrong words: {lowered(canaries.method(view))}"


def defense_name(experiment: Experiment) -> str:
    """Return the names of an experiment's defenses, with the settings that differ from the paper's.

    Without a defense, it says how networks are trained where that is unusual: in what batches, or for how many epochs.
    """
    if not experiment.defenses:
        model, usual = experiment.model.as_dict(), type(experiment.model)().as_dict()
        differs = [how.format(model[name]) for name, how in _TRAINED.items() if model[name] != usual[name]]
        return ", ".join([PLAIN, *differs[:1]])
    settings = [
        f"{spoken(name).lower()} {value:g}"
        for step in experiment.defenses
        for name, value in step.as_dict().items()
        if isinstance(value, int | float) and (name == "epsilon" or value != getattr(type(step)(), name))
    ]
    return ", ".join([_combined([step.part_name() for step in experiment.defenses]), *settings])


@once
def repetitions(results: Iterable[Result]) -> list[int]:
    """Return the numbers of repetitions of the defended results, or those of the paper where there is none."""
    defended = (result.experiment for result in results if result.experiment["defenses"])
    numbers = {times for experiment in defended for times in experiment["game"]["repetitions"]}
    return sorted(numbers or DEFENDED_REPETITIONS)


@once
def points(results: Sequence[Result], view: View, *, printed: bool = False) -> pd.DataFrame:
    """Return the results by defense, pattern and repetitions, those without a defense first.

    The same training as private training without noise is left out: it is drawn with what it costs.

    Args:
        results: Results that differ only in their defenses and repetitions.
        view: What is measured.
        printed: Whether the paper's Table 3 is about the same secrets, so that its values are added.

    Returns:
        Columns row (the defense), pattern, repetitions, the number of networks, printed (a value of the paper), value
        with interval and chance, the ceiling of the exposure, and the median rank of the true secret.
    """
    counts = repetitions(results)
    cells = (cell for result in results for cell in _cells(result, view))
    rows = [cell for cell in cells if cell["repetitions"] in counts and not cell["row"].startswith(WITHOUT_NOISE)]
    if printed and view != "exposure":
        rows += [
            {
                "row": _combined(names),
                "pattern": pattern,
                "repetitions": count,
                "networks": 0,
                "printed": True,
                "value": value,
            }
            for (pattern, count, names), value in DEFENDED.items()
            if count in counts
        ]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype({**dict.fromkeys(_NUMBERS, "float64"), "printed": "bool"})
    return ordered(frame)


@once
def ordered(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in order: no defense, those of the paper from one to three together, then all others."""
    known = [_combined(chosen) for count in range(1, len(_PAPERS) + 1) for chosen in combinations(_PAPERS, count)]
    plain = [PLAIN, *table.loc[undefended(table), "row"]]
    order = {name: index for index, name in enumerate(dict.fromkeys([*plain, *known, *table["row"]]))}
    return table.sort_values("row", key=lambda names: names.map(order), kind="stable").reset_index(drop=True)


@once
def undefended(table: pd.DataFrame) -> "pd.Series[bool]":
    """Return whether a row is of networks without a defense, however they were trained."""
    return table["row"].str.startswith(PLAIN)


@once
def noise(rows: "pd.Series[str]") -> tuple[str, str]:
    """Return the names of the row of private training and of that of the same training without it, "" where none is.

    >>> noise(pd.Series(["No defense", "No defense, in batches of 512", "Private training, epsilon 8"]))
    ('Private training, epsilon 8', 'No defense, in batches of 512')
    """
    names = list(rows)
    private, without_noise = (
        next((name for name in names if name.startswith(beginning)), "") for beginning in (PRIVATE, WITHOUT_NOISE)
    )
    return private, without_noise


def broken(rows: "pd.Series[str]") -> "pd.Series[str]":
    """Return the names of rows with a line break before each setting, to stand beside them."""
    return rows.str.replace(", ", ",<br>", regex=False)


@once
def figure(points: pd.DataFrame, view: View) -> go.Figure:
    """Draw rows of `points` of one pattern: a row for each defense, a lane for each number of repetitions."""
    looks = _looks(points)
    drawing = lanes.blank(_BITS if view == "exposure" else _HAMMING, list(points["row"]), looks, beside=True)
    if points.empty:
        return theme.empty(drawing, "Not computed yet.")
    series = [_series(row.repetitions, row.printed) for row in records(points)]
    marked = points.assign(series=series, row=broken(points["row"]))
    if view == "exposure":
        top = float(points["ceiling"].max())
        drawing.update_xaxes(range=[-0.03 * top, 1.06 * top], dtick=2)
    else:
        drawing.update_xaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.25)
    lanes.draw(drawing, marked, looks, [_hover(row, view) for row in records(points)], beside=True)
    lanes.chance(drawing, float(points["chance"].mean()))
    if view == "exposure":
        _ceiling(drawing, float(points["ceiling"].max()))
    return drawing.figure()


@once
def sentence(points: pd.DataFrame, view: View) -> str:
    """Read one pattern aloud: the results without a defense, and the defenses behind which chance is not beaten."""
    ours = points[~points["printed"]]
    if ours.empty:
        return f"Our result is not computed yet. {_HOLLOW}"
    hollow = [_HOLLOW] if points["printed"].any() else []
    sentences, last = [], [f"Each {'filled ' if hollow else ''}mark is a mean over {of_networks(ours)}.", *hollow]
    plain = records(ours[ours["row"] == PLAIN])
    if plain:
        values, first = joined([_value(row, view) for row in plain]), plain[0]
        times = joined([f"{row.repetitions:,}" for row in plain])
        by_chance = f"{first.chance:.1f}, rank 1 {first.ceiling:.1f}" if view == "exposure" else percent(first.chance)
        sentences.append(f"Without a defense, shown {times} times: {values} {_unit(view)} (chance {by_chance}).")
    defended = ours[~undefended(ours)]
    if defended.empty:
        return " ".join([*sentences, "No defense is computed yet.", *last])
    low, high, chance = (defended[name] for name in ("low", "high", "chance"))
    at_chance = defended[low <= chance if view == "exposure" else high >= chance]
    if at_chance.empty:
        sentences.append("With every defense and any number of repetitions, the result is better than chance.")
    else:
        sentences.append(f"Not shown to be better than chance: {cases(at_chance, defended)}.")
    return " ".join([*sentences, *last])


@once
def of_networks(ours: pd.DataFrame) -> str:
    """Say of how many networks a mark is the mean, and behind which defenses the number differs.

    >>> of_networks(pd.DataFrame({"row": ["No defense", "Dropout", "Private"], "networks": [10, 4, 4]}))
    '4 networks; 10 networks without a defense'
    """
    usual = int(ours["networks"].mode().iloc[0])
    unusual = ours[ours["networks"] != usual].drop_duplicates(["row", "networks"])
    exceptions = [
        f"; {counted(int(rows['networks'].iloc[0]), 'network')} {joined([_where(name) for name in rows['row']])}"
        for _, rows in unusual.groupby("networks", sort=False)
    ]
    return f"{counted(usual, 'network')}{''.join(exceptions)}"


@once
def cases(chosen: pd.DataFrame, defended: pd.DataFrame) -> str:
    """Name the defenses of some rows, with their numbers of repetitions unless all those of ``defended`` are there."""
    if len(chosen) == len(defended):
        return "every defense"
    names = []
    for name in dict.fromkeys(chosen["row"]):
        numbers = chosen[chosen["row"] == name]["repetitions"]
        is_complete = len(numbers) == len(defended[defended["row"] == name])
        names.append(name if is_complete else f"{name} (shown {joined([f'{count:,}' for count in numbers])} times)")
    return joined(names)


def _where(row: str) -> str:
    """Name a row within a sentence."""
    return row.replace(PLAIN, "without a defense").replace(", ", " ") if row.startswith(PLAIN) else f"behind {row}"


def _combined(names: Sequence[str]) -> str:
    if not names:
        return PLAIN
    if len(names) == 1:
        return _SINGLE.get(names[0], spoken(names[0]))
    return " + ".join(_SHORT.get(name, spoken(name)) for name in names)


def _cells(result: Result, view: View) -> Iterator[dict[str, Any]]:
    """Yield the values of one result by pattern and repetitions."""
    row = defense_name(Experiment.parse(result.experiment))
    if view == "exposure":
        table = result.tables["exposures"].rename(columns={"exposure": "value"})
        columns = ["canaries", "value", "low", "high", "chance", "ceiling"]
    else:
        cells = result.tables["cells"]
        table = canaries.of_measure(cells[cells["method"] == view], "hamming")
        columns = ["canaries", "value", "low", "high", "chance"]
    ranks = result.tables["exposures"].set_index(["pattern", "repetitions"])["rank"]
    for cell in records(table):
        case = {"row": row, "pattern": cell.pattern, "repetitions": cell.repetitions, "printed": False}
        values = {name: getattr(cell, name) for name in columns}
        # One network holds one secret of a pattern.
        networks, rank = values.pop("canaries"), ranks[cell.pattern, cell.repetitions]
        yield {**case, **values, "networks": networks, "rank": rank}


def _looks(points: pd.DataFrame) -> lanes.Looks:
    """Return the look of each number of repetitions, ours filled and the paper's hollow."""
    looks: dict[str, Look] = {}
    marks = theme.ordered([int(times) for times in points["repetitions"]])
    for lane, (times, mark) in enumerate(marks.items()):
        looks[_series(times, False)] = Look(f"shown {canaries.times(times)}", mark, lane)
    if points["printed"].any():
        for lane, (times, mark) in enumerate(marks.items()):
            looks[_series(times, True)] = Look("" if lane else "hollow: the paper", mark, lane, hollow=True)
    return looks


def _series(times: int, printed: bool) -> str:
    return f"{times} printed" if printed else str(times)


def _ceiling(drawing: Drawing, bits: float) -> None:
    """Draw the exposure of a true secret that ranks first."""
    theme.rule(drawing, x=bits, name="ceiling", line={"color": theme.INK, "width": 1.5, "dash": "dot"})
    where: dict[str, Any] = {"yref": "y domain", "y": 0, "yanchor": "bottom", "xanchor": "right", "xshift": -4}
    theme.note(drawing, "ranks first", x=bits, bgcolor=theme.BACKDROP, **where)


def _value(row: Any, view: View) -> str:
    if view == "exposure":
        return f"{row.value:.1f} ({row.low:.1f}–{row.high:.1f})"
    return measured_in(row)


def _unit(view: View) -> str:
    return "bits of exposure" if view == "exposure" else "of the words wrong"


def _hover(row: Any, view: View) -> str:
    text = f"<b>{row.row}, shown {canaries.times(row.repetitions)}</b><br>"
    if row.printed:
        return f"{text}the paper: {percent(row.value)}"
    rank = f"median rank of the true secret: {number(row.rank)}"
    return f"{text}{_value(row, view)} {_unit(view)}, {counted(row.networks, 'network')}<br>{rank}"
