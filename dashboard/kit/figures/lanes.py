"""Named rows of points with their intervals, a lane for each series; a paper's values are hollow."""

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

COLUMNS = ("row", "series", "value", "low", "high")
"""Columns of the points: a row's name as markup, key of the looks, and a value with its interval, NaN where unknown."""

_LANE, _BETWEEN, _LINE = 17, 11, 19
_ABREAST = 2
"""Entries in a line of the legend."""
_NAME = 46
"""Letters in a line of the name of a row, on a phone."""
_FOOT = 22
"""Room for the name of a level below the rows, in pixels."""


@dataclass(frozen=True)
class Look:
    """How one series is drawn.

    Attributes:
        name: Name in the legend; empty for no entry.
        mark: Its colour and symbol.
        lane: Number of its lane in each row, from the top; series may share one.
        hollow: Whether a paper reports it.
    """

    name: str
    mark: theme.Mark
    lane: int
    hollow: bool = False


Looks = Mapping[str, Look]
"""How each series is drawn, by its key; the order is that of the legend."""


def blank(
    title: str, rows: Sequence[str], looks: Looks, *, right: int = 16, listed: bool = False, beside: bool = False
) -> Drawing:
    """Return an empty figure, high enough for its rows and its legend.

    Args:
        title: Title of the horizontal axis, with its unit.
        rows: Names of the rows, each as often as it has points.
        looks: Looks of all series that will be drawn.
        right: Margin for notes beside the rows, in pixels.
        listed: Whether the legend has a line for each series, for narrow figures.
        beside: Whether names stand beside their rows, for many rows with short names, and not above the points.
    """
    entries = sum(bool(look.name) for look in looks.values())
    lines = entries if listed else math.ceil(entries / _ABREAST)
    inner = _LINE * lines + len(set(rows)) * _row(rows, looks, beside) + _FOOT
    drawing = theme.blank(title, "", inner=inner, right=right, legend=True)
    drawing.update_layout(margin={"t": theme.TOP + _LINE * lines})
    if listed:
        drawing.update_layout(legend={"orientation": "v", "y": 1, **theme.ON_PLOT})
    return drawing


def draw(
    drawing: Drawing,
    points: pd.DataFrame,
    looks: Looks,
    hover: list[str],
    notes: Sequence[str] = (),
    *,
    beside: bool = False,
) -> None:
    """Draw the points on a blank figure, the rows in the order of the points.

    Args:
        drawing: The figure.
        points: With `COLUMNS`.
        looks: How each series is drawn.
        hover: Hover text of each point.
        notes: Text to the right of each point's lane.
        beside: As of `blank`.
    """
    rows = list(dict.fromkeys(points["row"]))
    height = _row(rows, looks, beside)
    drawing.update_yaxes(range=[len(rows) - 0.5 + _FOOT / height, -0.5], showgrid=False, showticklabels=False)
    line = {"color": theme.veil(theme.INK), "width": 1}
    for number, row in enumerate(rows):
        theme.rule(drawing, y=number + 0.5, layer="below", name="row", line=line)
        if not beside:
            text = "<br>".join(_lines(row))
            traces.left_label(drawing, text, number - 0.5, yanchor="top", yshift=-_BETWEEN / 2, align="left")
    if beside:
        drawing.update_yaxes(showticklabels=True, **theme.categories(rows))
    below = _BETWEEN / 2 + _name(rows, beside)
    heights = [
        rows.index(row) - 0.5 + (below + (looks[series].lane + 0.5) * _LANE) / height
        for row, series in zip(points["row"], points["series"], strict=True)
    ]
    placed = points.assign(height=heights, hover=hover)
    for series, look in looks.items():
        series_points = placed[placed["series"] == series]
        if len(series_points):
            _series(drawing, series_points, look)
    for y, note in zip(heights, notes, strict=False):
        theme.note(drawing, note, xref="x domain", x=1, xanchor="left", xshift=6, y=y, yanchor="middle")


@once
def by_chance(
    points: pd.DataFrame,
    looks: Looks,
    title: str,
    hover: Callable[[Any], str],
    *,
    ticks: tuple[str, float],
    empty: str,
    highest: float = theme.WHOLE,
    listed: bool = True,
) -> go.Figure:
    """Draw points, and the level of chance at one half; series without a point are left out.

    ``title`` is that of the horizontal axis, ``highest`` its end, and ``ticks`` the format and distance of its ticks.
    ``hover`` returns the hover text of a point, ``empty`` tells that there is none.
    """
    present = {key: look for key, look in looks.items() if key in set(points["series"])}
    drawing = blank(title, list(points["row"]), present, listed=listed)
    if points.empty:
        return theme.empty(drawing, empty)
    drawing.update_xaxes(
        range=[theme.floor(points["low"], points["value"]), highest], tickformat=ticks[0], dtick=ticks[1]
    )
    draw(drawing, points, present, [hover(row) for row in records(points)])
    chance(drawing, 0.5)
    return drawing.figure()


def chance(drawing: Drawing, x: float) -> None:
    """Draw the level of chance, with its name at the foot of the line on the side with more room."""
    theme.level(drawing, x=x)
    left, right = drawing.layout["xaxis"]["range"]
    side, shift = ("left", 4) if x < (left + right) / 2 else ("right", -4)
    drawing.layout["annotations"][-1].update(y=0, yanchor="bottom", xanchor=side, xshift=shift)


def _series(drawing: Drawing, points: pd.DataFrame, look: Look) -> None:
    colour = look.mark.colour
    scatter.points(
        drawing,
        points["value"],
        points["height"],
        look.mark,
        look.name,
        points["hover"],
        size=12 if look.hollow else 11,
        edge={"color": colour, "width": 3 if look.hollow else 0},
        hollow=look.hollow,
        showlegend=bool(look.name),
        error_x={} if look.hollow else intervals.bars(points["value"], points["low"], points["high"], colour),
        cliponaxis=False,
    )


def _row(rows: Sequence[str], looks: Looks, beside: bool) -> int:
    """Return the height of a row, in pixels: its name, unless it stands beside, and below it a lane for each series."""
    return _name(rows, beside) + _LANE * (1 + max((look.lane for look in looks.values()), default=0)) + _BETWEEN


def _name(rows: Sequence[str], beside: bool) -> int:
    """Return the height of the names of rows, in pixels: that of the name of most lines; 0 where they stand beside."""
    return 0 if beside else _LINE * max((len(_lines(row)) for row in rows), default=1)


def _lines(name: str) -> list[str]:
    return textwrap.wrap(name, _NAME, break_long_words=False, break_on_hyphens=False)
