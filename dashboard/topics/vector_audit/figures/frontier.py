"""What an adversary reads behind each storage format and defense, against the retrieval that is left."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from core.audits.plan import FRONTIER, Step
from core.audits.storage_formats import RETRIEVAL, is_lowered
from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, labels, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

TITLE = "Storage formats and defenses"
_PLAIN, _PAIRS = "as stored", "secret rotation or order, read with pairs"
_BESIDE = 86
"""Right margin for the name of a point at the end, on a phone; in pixels."""
_SCREENS = ((926.0, 390.0), (731.0, 380.0), (204.0, 328.0))
"""Approximate size of the plot on a projector, a tablet and a phone, for placing names; in pixels."""
_LINE = 13
"""Letters in a line of a name: on a phone, longer ones leave the picture."""
_MARGINS = 0.05, 0.12
"""Room left of all and right of all, as shares of what is drawn; names are written beside points."""
_TOUCHING = 14.0
"""Points closer than this share one name, in pixels of the largest screen."""

_KINDS = {
    "quantisation": "fewer bits",
    "fewer_dimensions": "fewer dimensions",
    "gaussian": "noise",
    "laplace": "noise",
    "rotation": _PAIRS,
    "shuffled_coordinates": _PAIRS,
}
_COLUMNS = [
    "setting",
    "kind",
    "lowered",
    *(f"{name}{end}" for name in ("f1", "recall") for end in ("", "_low", "_high", "_chance")),
]

FinishedSteps = Sequence[tuple[Step, dict[str, Estimate]]]
"""Steps of an audit that have a result, with its estimates."""


@once
def table(finished: FinishedSteps) -> pd.DataFrame:
    """Return one row for each storage format and defense that has a result, the vectors as stored first.

    Args:
        finished: The steps of an audit that have a result.
    """
    rows = []
    plain_f1 = next((estimates["f1"] for step, estimates in finished if step.name == "words"), None)
    for step, estimates in finished:
        if RETRIEVAL not in estimates or step.name not in ("words", FRONTIER):
            continue
        kind = _KINDS[step.experiment.defenses[0].part_name()] if step.name == FRONTIER else _PLAIN
        row: dict[str, Any] = {"setting": step.title if step.name == FRONTIER else _PLAIN, "kind": kind}
        row["lowered"] = plain_f1 is not None and is_lowered(estimates["f1"], plain_f1)
        for name, estimate in (("f1", estimates["f1"]), ("recall", estimates[RETRIEVAL])):
            ends = {"": estimate.value, "_low": estimate.low, "_high": estimate.high, "_chance": estimate.chance}
            row |= {f"{name}{end}": value for end, value in ends.items()}
        rows.append(row)
    return pd.DataFrame(rows, columns=_COLUMNS)


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a point with both intervals for each setting.

    Args:
        points: See `table`.
    """
    titles = "F1 of words<br>(less is more private; bars: 95% intervals)", "Nearest ten still found"
    drawing = theme.blank(*titles, height=theme.HEIGHT + 140, right=_BESIDE, legend=True)
    if points.empty:
        return theme.empty(drawing, "No storage format was tried.")
    least, most = min(points["f1_low"].min(), points["f1_chance"].min()), points["f1_high"].max()
    left, right = least - _MARGINS[0] * (most - least), most + _MARGINS[1] * (most - least)
    low = min(points["recall_low"].min() - 0.05, 0.9)
    drawing.update_xaxes(range=(left, right), tickformat=".0%")
    drawing.update_yaxes(range=(low, theme.WHOLE), tickformat=".0%")
    chance = points["f1_chance"].iloc[0]
    theme.rule(drawing, x=chance, name="chance (the most frequent words)", showlegend=True)
    kinds = list(dict.fromkeys(points["kind"]))
    for kind, mark in zip(kinds, theme.distinct(len(kinds)), strict=True):
        _add(drawing, points[points["kind"] == kind], kind, mark)
    span = np.array([right - left, theme.WHOLE - low])
    groups = _together(points[points["kind"] != _PAIRS], span)  # the legend names the other
    groups.sort(key=lambda group: float(group["f1"].mean()))  # those nearest to the line of chance have least room
    group_positions = [tuple((group[["f1", "recall"]].mean().to_numpy() - (left, low)) / span) for group in groups]
    point_positions = [tuple(row) for row in (points[["f1", "recall"]].to_numpy() - (left, low)) / span]
    strokes = [*_strokes(points), ((chance, low), (chance, theme.WHOLE))]
    lines = [tuple((np.array(end) - (left, low)) / span) for end in labels.along(strokes)]
    names = ["<br>".join(wrap(", ".join(group["setting"]), _LINE)) for group in groups]
    placed = labels.place(names, group_positions, point_positions, _SCREENS, lines)
    for name, group in zip(placed, groups, strict=True):
        labels.write(drawing, name, group["f1"].mean(), group["recall"].mean())
    return drawing.figure()


def _strokes(points: pd.DataFrame) -> Iterator[tuple[labels.Point, labels.Point]]:
    """Yield both intervals of each setting, as drawn."""
    for row in records(points):
        yield (row.f1_low, row.recall), (row.f1_high, row.recall)
        yield (row.f1, row.recall_low), (row.f1, row.recall_high)


@once
def sentence(points: pd.DataFrame) -> str:
    """Read the figure aloud: F1 as stored, and the settings behind which less is read."""
    before = next((row for row in records(points) if row.setting == _PLAIN), None)
    settings = [row for row in records(points) if row.setting != _PLAIN and row.kind != _PAIRS]
    if before is None or not settings:
        return "No storage format was tried beside the vectors as they are."
    lower = [row for row in settings if row.lowered]
    text = f"As stored, words are read by the classifier with F1 {measured_in(before, 'f1')}. "
    if not lower:
        return f"{text}With none of the {len(settings)} settings is it shown to be lower."
    lower_texts = [
        f"{row.setting} ({percent(row.f1)}, {percent(row.recall)} of the nearest ten found)" for row in lower
    ]
    remaining = counted(len(settings) - len(lower), "other")
    return f"{text}F1 is lower with {joined(lower_texts)}; with {remaining} it is not shown to be."


def _together(points: pd.DataFrame, span: NDArray[np.float64]) -> list[pd.DataFrame]:
    """Return points in groups that share a name; each mark touches another of its group."""
    pixels = points[["f1", "recall"]].to_numpy() / span * _SCREENS[0]
    near = np.abs(pixels[:, None] - pixels[None]).max(axis=2) < _TOUCHING
    _, group = connected_components(csr_array(near), directed=False)
    return [points[group == number] for number in range(group.max() + 1)]


def _add(drawing: Drawing, points: pd.DataFrame, name: str, mark: theme.Mark) -> None:
    faint = theme.veil(mark.colour, 0x70)
    hover = [
        f"<b>{row.setting}</b><br>F1 {measured_in(row, 'f1')}, chance {percent(row.f1_chance)}<br>"
        f"nearest ten found {measured_in(row, 'recall')}, chance {percent(row.recall_chance)}"
        for row in records(points)
    ]
    look = {
        "error_x": intervals.bars(points["f1"], points["f1_low"], points["f1_high"], faint),
        "error_y": intervals.bars(points["recall"], points["recall_low"], points["recall_high"], faint),
    }
    scatter.points(
        drawing, points["f1"], points["recall"], mark, name, hover, size=11, hollow=name == _PAIRS, opaque=True, **look
    )
