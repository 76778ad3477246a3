"""Membership inference over training: the area under the ROC curve after each of some epochs."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.example_membership import named_groups
from core.games.example_membership.contract import Wording
from core.statistics.wording import decimal, fixed
from core.statistics.wording.naming import counted
from dashboard.kit.examples.figures.rules import Series
from dashboard.kit.figures import axes, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import from_on, records
from dashboard.kit.figures.wording import area_in, joined
from dashboard.kit.shared import once

TITLE = "AUC by epoch"
_EMPTY = "The models were not queried before their last epoch."
_SPREAD = 0.62
"""Share of the distance from one epoch to the next over which its points are spread."""
_UNTRAINED = "never<br>trained"


@once
def figure(course: pd.DataFrame, series: Series) -> go.Figure:
    """Draw the areas of a statistic and rule against the epochs, a line for each group."""
    areas = series.of(course)
    groups = named_groups.ordered(areas)
    marks = theme.ordered(range(len(groups)))
    return lines(areas, {group: marks[number] for number, group in enumerate(groups)})


@once
def lines(areas: pd.DataFrame, marks: Mapping[str, theme.Mark], *, title: str = "AUC") -> go.Figure:
    """Draw areas against the epochs for several adversaries or groups, over the range of chance.

    Args:
        areas: With ``group``, ``passes``, ``auc``, ``auc_low``, ``auc_high``, ``chance_low`` and ``chance_high``; ends
            are NaN where unknown.
        marks: The groups in the order of the legend, and their looks.
        title: Title of the vertical axis.
    """
    drawing = theme.blank("Epochs of training", title, height=460, legend=True)
    if areas.empty:
        return theme.empty(drawing, _EMPTY)
    positions = axes.epochs(drawing, areas["passes"], _UNTRAINED)
    lowest = theme.floor(areas["auc"], areas["auc_low"], areas["chance_low"])
    drawing.update_yaxes(range=[lowest, theme.WHOLE], tickformat=".1f", dtick=0.1)
    if 0 in positions:
        theme.area(drawing, (-0.5, 0.5), (0, 1), theme.veil(theme.CHANCE, 0x1E), yref="y domain", name="untrained")
    ends = [-0.5, len(positions) - 0.5]
    drawing.add_scatter(x=ends, y=[0.5, 0.5], mode="lines", line=theme.CHANCE_LINE, name="chance", hoverinfo="skip")
    known = areas["chance_low"].notna().any()
    for number, (group, mark) in enumerate(marks.items()):
        rows = areas[areas["group"] == group].sort_values("passes")
        # Apart, so that intervals of the same epoch do not overlap.
        x = rows["passes"].map(positions) + _SPREAD * ((number + 0.5) / len(marks) - 0.5)
        if known:
            by_chance = zip(rows["chance_low"], rows["chance_high"], strict=True)
            grey, legend = theme.veil(theme.CHANCE, 0x70), {"legendgroup": "chance", "showlegend": not number}
            scatter.strokes(drawing, x, by_chance, grey, 11, connectgaps=False, name="95% by chance", **legend)
        hover = [
            f"<b>{group}</b>, {_after(int(row.passes))}<br>{title} {area_in(row)}"
            + (f"<br>by chance {decimal(row.chance_low)}–{decimal(row.chance_high)}" if known else "")
            for row in records(rows)
        ]
        error = intervals.bars(rows["auc"], rows["auc_low"], rows["auc_high"], mark.colour)
        traces.series(drawing, x, rows["auc"], mark, width=2, size=9, name=group, error_y=error, text=hover)
    return drawing.figure()


@once
def sentence(course: pd.DataFrame, series: Series, about: Wording) -> str:
    """Read the lines of the last and first group aloud: first and last epoch, and when they leave chance."""
    areas = series.of(course)
    if areas.empty:
        return _EMPTY
    groups = named_groups.ordered(areas)
    parts: list[str] = []
    for group in dict.fromkeys((groups[-1], groups[0])):
        rows = records(areas[areas["group"] == group].sort_values("passes"))
        first = f"{decimal(rows[0].auc)} {_after(int(rows[0].passes))}"
        last = f"{area_in(rows[-1], named=not parts)} {_after(int(rows[-1].passes))}"
        change = f"the AUC goes from {first} to {last}" if not parts else f"from {first} to {last}"
        begun = beyond(rows)
        reached = "within chance at the end" if begun is None else f"above the range by chance from epoch {begun} on"
        parts.append(f"for {named_groups.phrase(group, about)} {change}, {reached}")
    return f"{series.name}: {'; '.join(parts)}."


@once
def untrained(course: pd.DataFrame, series: Series) -> str:
    """Say whether the areas of untrained models lie within the range of chance."""
    areas = series.of(course)
    rows = records(areas[areas["passes"] == 0].sort_values("place"))
    if not rows:
        return ""
    text = "Grey bars: 95% range of areas by chance. Control without training: "
    outside = [row for row in rows if not row.chance_low <= row.auc <= row.chance_high]
    if not outside:
        every = "the area lies" if len(rows) == 1 else f"all {len(rows)} areas lie"
        return f"{text}{every} inside."
    ranges = [
        f"{row.group} ({fixed(row.auc, 3)}, by chance {fixed(row.chance_low, 3)}–{fixed(row.chance_high, 3)})"
        for row in outside
    ]
    return (
        f"{text}{counted(len(outside), 'area')} of {len(rows)} outside, for {joined(ranges)}. One in twenty is to be "
        "expected there."
    )


def beyond(rows: Sequence[Any]) -> int | None:
    """Return the epoch from which on all areas lie above the range of chance, or None; rows are by epoch."""
    first = from_on(rows, lambda row: not row.auc <= row.chance_high)
    return None if first is None else int(first.passes)


def _after(epochs: int) -> str:
    return f"after {counted(epochs, 'epoch')}" if epochs else "without training"
