"""Named rows of points with their intervals, a lane for each series; what a paper prints is hollow."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import values

COLUMNS = ("row", "series", "value", "low", "high")
"""Columns of the points: the name of a row, a key of the looks, and a value with its interval, NaN where unknown."""

_LANE, _BETWEEN, _LINE = 17, 11, 19
_ABREAST = 2
"""How many entries a line of the legend holds."""
_FOOT = 22
"""Room for the name of a level, below the rows, in pixels."""


@dataclass(frozen=True)
class Look:
    """How one series is drawn.

    Attributes:
        name: What the legend calls it; empty for none of its own.
        mark: Its colour and symbol.
        lane: Number of its lane in each row, from the top; series may share one.
        hollow: Whether a paper prints it.
    """

    name: str
    mark: theme.Mark
    lane: int
    hollow: bool = False


Looks = Mapping[str, Look]
"""How each series is drawn, by its key; the order is that of the legend."""


def blank(title: str, rows: int, looks: Looks, *, right: int = 16, listed: bool = False) -> Drawing:
    """Return an empty figure, high enough for its rows and its legend.

    Args:
        title: Of the horizontal axis, with its unit.
        rows: How many there will be.
        looks: Of all series that will be drawn.
        right: Margin for notes beside the rows, in pixels.
        listed: Whether the legend has a line for each series, which is for narrow figures.
    """
    named = sum(bool(look.name) for look in looks.values())
    lines = named if listed else math.ceil(named / _ABREAST)
    height = theme.TOP + theme.BOTTOM + _LINE * lines + rows * _row(looks) + _FOOT
    drawing = theme.blank(title, "", height=height, right=right, legend=True)
    drawing.update_layout(margin={"t": theme.TOP + _LINE * lines})
    if listed:
        drawing.update_layout(legend={"orientation": "v", "y": 1, "yref": "paper"})
    return drawing


def draw(drawing: Drawing, points: pd.DataFrame, looks: Looks, said: list[str], notes: list[str] | None = None) -> None:
    """Draw the points, the rows in the order in which they come.

    Args:
        drawing: A blank one.
        points: With `COLUMNS`.
        looks: How each series is drawn.
        said: What a pointer on each point says.
        notes: What stands right of each point's lane, if anything.
    """
    rows = list(dict.fromkeys(points["row"]))
    drawing.update_yaxes(
        range=[len(rows) - 0.5 + _FOOT / _row(looks), -0.5],
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=rows,
        showgrid=False,
    )
    for place in range(1, len(rows) + 1):
        theme.rule(drawing, y=place - 0.5, layer="below", name="row", line={"color": theme.veil(theme.INK), "width": 1})
    lanes = 1 + max(look.lane for look in looks.values())
    at = [
        rows.index(row) + (looks[series].lane - (lanes - 1) / 2) * _LANE / _row(looks)
        for row, series in zip(points["row"], points["series"], strict=True)
    ]
    placed = points.assign(at=at, said=said)
    for series, look in looks.items():
        own = placed[placed["series"] == series]
        if len(own):
            _series(drawing, own, look)
    for y, note in zip(at, notes or (), strict=False):
        theme.note(drawing, note, xref="x domain", x=1, xanchor="left", xshift=6, y=y, yanchor="middle")


def chance(drawing: Drawing, x: float, text: str = "guessing") -> None:
    """Draw what guessing gives, its name at the foot of the line, on the side where there is more room."""
    theme.level(drawing, x=x, text=text)
    left, right = drawing.layout["xaxis"]["range"]
    side, shift = ("left", 4) if x < (left + right) / 2 else ("right", -4)
    drawing.layout["annotations"][-1].update(y=0, yanchor="bottom", xanchor=side, xshift=shift)


def _series(drawing: Drawing, own: pd.DataFrame, look: Look) -> None:
    colour = look.mark.colour
    drawing.add_scatter(
        x=own["value"],
        y=values(own["at"]),
        mode="markers",
        name=look.name,
        showlegend=bool(look.name),
        marker={
            "color": colour,
            "symbol": f"{look.mark.symbol}-open" if look.hollow else look.mark.symbol,
            "size": 12 if look.hollow else 11,
            "line": {"color": colour, "width": 3 if look.hollow else 0},
        },
        error_x={} if look.hollow else intervals.bars(own["value"], own["low"], own["high"], colour),
        text=values(own["said"]),
        cliponaxis=False,
    )


def _row(looks: Looks) -> int:
    """Return the height of a row, in pixels."""
    return _LANE * (1 + max((look.lane for look in looks.values()), default=0)) + _BETWEEN
