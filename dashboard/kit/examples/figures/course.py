"""How membership comes to be told over training: the area under the ROC curve after each of some passes."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.example_membership.contract import Wording
from dashboard.kit.examples.figures import kinds
from dashboard.kit.examples.figures.rules import Series
from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, decimal, joined

TITLE = "Pass by pass of training"
_EMPTY = "The models were not asked before their last pass."
_APART = 0.62
"""Share of the way from one number of passes to the next over which their points are spread."""
_UNTRAINED = "never<br>trained"


def figure(course: pd.DataFrame, series: Series) -> go.Figure:
    """Draw the area against the passes, a line for each group, over the range in which areas lie by chance.

    Args:
        course: As the game declares it.
        series: The statistic and the rule that are followed.
    """
    own = series.of(course)
    groups = kinds.groups(own)
    marks = theme.ordered(range(len(groups)))
    return lines(own, {group: marks[place] for place, group in enumerate(groups)})


def lines(own: pd.DataFrame, marks: Mapping[str, theme.Mark], *, title: str = "AUC") -> go.Figure:
    """Draw the area against the passes for several adversaries or groups.

    Args:
        own: With ``group``, ``passes``, ``auc``, ``auc_low``, ``auc_high``, ``chance_low`` and ``chance_high``; ends
            are NaN where they are not known.
        marks: The groups in the order of the legend, and how each looks.
        title: Of the vertical axis.
    """
    drawing = theme.blank("Passes of training", title, height=460, legend=True)
    if own.empty:
        return theme.empty(drawing, _EMPTY)
    passes = sorted({int(number) for number in own["passes"]})
    at = {number: place for place, number in enumerate(passes)}
    ends = -0.5, len(at) - 0.5
    drawing.update_xaxes(
        tickmode="array",
        tickvals=list(at.values()),
        ticktext=[str(number) if number else _UNTRAINED for number in at],
        range=ends,
        showgrid=False,
    )
    drawing.update_yaxes(
        range=[theme.floor(own["auc"], own["auc_low"], own["chance_low"]), 1.03], tickformat=".1f", dtick=0.1
    )
    if 0 in at:
        drawing.add_shape(
            type="rect",
            yref="y domain",
            x0=-0.5,
            x1=0.5,
            y0=0,
            y1=1,
            layer="below",
            line={"width": 0},
            fillcolor=theme.veil(theme.CHANCE, 0x1E),
            name="untrained",
        )
    line = {"color": theme.CHANCE, "width": 2, "dash": "dash"}
    drawing.add_scatter(x=ends, y=[0.5, 0.5], mode="lines", line=line, name="guessing", hoverinfo="skip")
    known = own["chance_low"].notna().any()
    for number, (group, mark) in enumerate(marks.items()):
        rows = own[own["group"] == group].sort_values("passes")
        # Apart, so that intervals after the same passes do not lie upon each other.
        x = rows["passes"].map(at) + _APART * ((number + 0.5) / len(marks) - 0.5)
        if known:
            _chance(drawing, x, rows, first=not number)
        said = [
            f"<b>{group}</b>, {_after(int(row.passes))}<br>{title} {_interval(row)}"
            + (f"<br>by chance {decimal(row.chance_low)}–{decimal(row.chance_high)}" if known else "")
            for row in records(rows)
        ]
        drawing.add_scatter(
            x=x,
            y=rows["auc"],
            mode="lines+markers",
            name=group,
            line={"color": mark.colour, "width": 2, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 9},
            error_y=intervals.bars(rows["auc"], rows["auc_low"], rows["auc_high"], mark.colour),
            text=said,
        )
    return drawing.figure()


def sentence(course: pd.DataFrame, series: Series, about: Wording) -> str:
    """Read the lines of the most and of the fewest aloud: where they begin and end, and when they leave chance."""
    own = series.of(course)
    if own.empty:
        return _EMPTY
    groups = kinds.groups(own)
    said: list[str] = []
    for group in dict.fromkeys((groups[-1], groups[0])):
        rows = records(own[own["group"] == group].sort_values("passes"))
        begun = f"{decimal(rows[0].auc)} {_after(int(rows[0].passes))}"
        ended = f"{_interval(rows[-1], named=not said)} {_after(int(rows[-1].passes))}"
        goes = f"the AUC goes from {begun} to {ended}" if not said else f"from {begun} to {ended}"
        said.append(f"for {kinds.those(group, about)} {goes}, {_beyond(rows)}")
    return f"{series.name}: {'; '.join(said)}."


def untrained(course: pd.DataFrame, series: Series) -> str:
    """Say whether the areas of models that were never trained lie where chance puts them."""
    own = series.of(course)
    rows = records(own[own["passes"] == 0].sort_values("place"))
    if not rows:
        return ""
    says = "Grey bars: where 95% of areas lie by chance. "
    outside = [row for row in rows if not row.chance_low <= row.auc <= row.chance_high]
    if not outside:
        every = "the area lies" if len(rows) == 1 else f"all {len(rows)} areas lie"
        return f"{says}Never trained, the control: {every} inside."
    named = joined(
        [f"{row.group} ({row.auc:.3f}, by chance {row.chance_low:.3f}–{row.chance_high:.3f})" for row in outside]
    )
    return (
        f"{says}Never trained, the control: {counted(len(outside), 'area')} of {len(rows)} outside, with {named}. One "
        "in twenty is to be expected there."
    )


def _chance(drawing: Drawing, x: "pd.Series[float]", rows: pd.DataFrame, *, first: bool) -> None:
    """Draw for each point the range in which it would lie by chance."""
    ends = zip(x, rows["chance_low"], rows["chance_high"], strict=True)
    points = [point for place, low, high in ends for point in ((place, low), (place, high), (None, None))]
    drawing.add_scatter(
        x=[place for place, _ in points],
        y=[value for _, value in points],
        mode="lines",
        connectgaps=False,
        line={"color": theme.veil(theme.CHANCE, 0x70), "width": 11},
        hoverinfo="skip",
        name="95% by chance",
        legendgroup="chance",
        showlegend=first,
    )


def _beyond(rows: list[Any]) -> str:
    """Say from which pass on all areas lie above the range of chance."""
    within = [number for number, row in enumerate(rows) if row.auc <= row.chance_high]
    first = within[-1] + 1 if within else 0
    return f"beyond chance from pass {rows[first].passes} on" if first < len(rows) else "within chance at the end"


def _after(passes: int) -> str:
    return f"after {counted(passes, 'pass', 'passes')}" if passes else "without training"


def _interval(row: Any, *, named: bool = False) -> str:
    if row.auc_low != row.auc_low:
        return decimal(row.auc)
    return f"{decimal(row.auc)} ({'95% interval ' if named else ''}{decimal(row.auc_low)}–{decimal(row.auc_high)})"
