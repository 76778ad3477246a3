"""Places names beside points and at the ends of lines so that neither they nor the lines to them cover a point."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme

_NEAR, *_FAR = 16.0, 25.0, 36.0, 48.0, 60.0, 75.0, 90.0, 110.0, 130.0
_CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_BETWEEN = ((1, 0.5), (-1, 0.5), (1, -0.5), (-1, -0.5), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1))
_SPOTS = [(right * away, up * away) for away in (_NEAR, *_FAR) for right, up in (*_CORNERS, *_BETWEEN)]
_STEPS = 8
_LEADERS = np.array(
    [
        np.linspace(min(1.0, _NEAR / math.hypot(right, up)), 1.0, _STEPS)[:, None] * (right, up)
        if math.hypot(right, up) > _NEAR
        else np.full((_STEPS, 2), np.inf)
        for right, up in _SPOTS
    ]
)
"""Steps along the line from the edge of a point to each spot, (spots, steps, 2), in pixels; far away for near spots."""
_LEADING = 3 * np.array([math.hypot(right, up) for right, up in _SPOTS])
"""What the line to each spot covers, in square pixels: a near spot with a little in it beats a far one with nothing."""


class _Measure(NamedTuple):
    """Width of a letter, height of a line and half the width of a point with its edge, in pixels."""

    letter: float
    line: float
    mark: float


_STROKE, _LEADER = 6.0, 3.0
"""Half the width of a line with its room, and of a line to a name, in pixels."""
_OFF_THE_DIAGONAL = 1.0
"""Pixels that a name exactly below and right of its point is moved: plotly would take the point for one inside the
name, whose corner a ray from the point in that direction meets, and draw no line to it."""
_ALONG = 15
"""Points along each stroke that names should leave free."""
_BEYOND = 4
"""How much worse it is to reach beyond the plot, over the names of its axes, than to cover a line in it."""
_FURTHER = 19.0
"""Pixels that each further line of a name adds: plotly spaces lines by 18."""
_DRAWN, _ROOMY = _Measure(6.8, 14.0, 6.0), _Measure(8.2, 17.0, 12.0)
"""Sizes of letters and points as drawn, and with room around them."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, right, lower and upper edge, in pixels."""


@dataclass(frozen=True)
class Label:
    """Position of a name.

    Attributes:
        text: The name.
        right: Pixels from its point to the name's nearest edge, to the right; 0 centres it.
        up: The same upwards.
        is_clear: Whether it covers neither a point nor an earlier name on any screen.
        is_inside: Whether it lies within the plot on every screen, off the names of its axes.
    """

    text: str
    right: float
    up: float
    is_clear: bool = True
    is_inside: bool = True

    @property
    def xanchor(self) -> str:
        """Return the edge of the name that lies nearest to its point, horizontally."""
        return "center" if not self.right else "left" if self.right > 0 else "right"

    @property
    def yanchor(self) -> str:
        """Return the edge of the name that lies nearest to its point, vertically."""
        return "middle" if not self.up else "bottom" if self.up > 0 else "top"

    @property
    def is_far(self) -> bool:
        """Tell whether a line must lead from the point to the name."""
        return math.hypot(self.right, self.up) > _NEAR


def place(
    names: Sequence[str],
    at: Sequence[Point],
    points: Sequence[Point],
    sizes: Sequence[tuple[float, float]],
    lines: Sequence[Point] = (),
) -> list[Label]:
    """Return for each name the position that covers least on all screens, then is near with room; earlier come first.

    Args:
        names: The texts, lines divided by ``<br>``.
        at: Point of each name, as shares of the plot from its left and lower edge.
        points: All points of the figure, likewise.
        sizes: Width and height of the plot on each screen, in pixels.
        lines: Points along lines, which a name should leave free where there is room.
    """
    drawn = [(size, _DRAWN, _around(points, size, _DRAWN.mark)) for size in sizes]
    roomy = [(size, _ROOMY, [*_around(points, size, _ROOMY.mark), *_around(lines, size, _STROKE)]) for size in sizes]
    labels = []
    for name, (x, y) in zip(names, at, strict=True):
        costs, spots = {_DRAWN: np.zeros(len(_SPOTS)), _ROOMY: np.zeros(len(_SPOTS))}, []
        beyond = np.zeros(len(_SPOTS))
        for (width, height), measure, occupied in (*drawn, *roomy):
            boxes = np.array([_box(name, x * width, y * height, *spot, measure) for spot in _SPOTS])
            taken = np.array(occupied).reshape(-1, 4)
            costs[measure] += _shared(boxes, taken)
            if measure is _DRAWN:
                leaders = _squares(_LEADERS.reshape(-1, 2) + np.array((x * width, y * height)), _LEADER)
                costs[measure] += _shared(leaders, taken).reshape(len(_SPOTS), -1).sum(axis=1)
                beyond += _outside(boxes, (width, height))
            else:
                costs[measure] += _BEYOND * _outside(boxes, (width, height)) + _LEADING
            spots.append((boxes, occupied))
        best = int(np.lexsort((costs[_ROOMY], costs[_DRAWN]))[0])
        for boxes, occupied in spots:
            occupied.append(tuple(boxes[best]))
        labels.append(Label(name, *_SPOTS[best], is_clear=not costs[_DRAWN][best], is_inside=beyond[best] < 1))
    return labels


def along(strokes: Iterable[tuple[Point, Point]]) -> list[Point]:
    """Return points along straight strokes, such as intervals, for `place` to leave free; unknown ends have none."""
    known = [ends for ends in strokes if np.isfinite(ends).all()]
    return [(float(x), float(y)) for ends in known for x, y in np.linspace(*ends, _ALONG)]


def write(drawing: Drawing, label: Label, x: float, y: float) -> None:
    """Write a name beside its point at (x, y), with a line between them if they are far apart."""
    drawing.add_annotation(
        x=x,
        y=y,
        text=label.text,
        align="left",
        font={"size": theme.SMALL, "color": theme.INK},
        ax=label.right + (_OFF_THE_DIAGONAL if label.right == -label.up else 0),
        ay=-label.up,
        xanchor=label.xanchor,
        yanchor=label.yanchor,
        bgcolor=theme.BACKDROP,
        borderpad=0,
        showarrow=True,
        arrowhead=0,
        arrowwidth=1 if label.is_far else 0.1,
        arrowcolor=theme.INK if label.is_far else theme.veil(theme.INK, 0),
    )


def beside(
    drawing: Drawing,
    labels: Sequence[tuple[float, str, str]],
    x: float,
    low: float,
    high: float,
    *,
    height: int = theme.HEIGHT,
) -> None:
    """Write names at the right end of lines, moved apart where lines end together.

    Args:
        drawing: The figure; its horizontal axis is logarithmic.
        labels: Height of a line's end on the vertical axis, its name, its colour.
        x: Where the lines end.
        low: Lower end of the vertical axis.
        high: Its upper end.
        height: Height of the whole figure, in pixels.
    """
    pixels = (height - theme.TOP - theme.BOTTOM) / (high - low)
    lowest = -float("inf")
    for y, text, colour in sorted(labels, key=lambda label: label[0]):
        wanted = y * pixels
        lowest = max(wanted, lowest + theme.LINE * (text.count("<br>") + 1))
        ends: dict[str, Any] = {"x": math.log10(x), "xanchor": "left", "xshift": 10, "y": y, "yshift": lowest - wanted}
        theme.note(drawing, text, colour=colour, yanchor="middle", align="left", bgcolor=theme.BACKGROUND, **ends)


def _shared(boxes: NDArray[np.float64], other_boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the area that each box shares with others, (boxes,), given left, right, lower and upper edges, (n, 4)."""
    width = np.minimum(boxes[:, None, 1], other_boxes[:, 1]) - np.maximum(boxes[:, None, 0], other_boxes[:, 0])
    height = np.minimum(boxes[:, None, 3], other_boxes[:, 3]) - np.maximum(boxes[:, None, 2], other_boxes[:, 2])
    area: NDArray[np.float64] = (width.clip(min=0) * height.clip(min=0)).sum(axis=1)
    return area


def _outside(boxes: NDArray[np.float64], size: tuple[float, float]) -> NDArray[np.float64]:
    """Return the area of each box beyond a plot."""
    area: NDArray[np.float64] = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
    return area - _shared(boxes, np.array([(0.0, size[0], 0.0, size[1])]))


def _around(points: Sequence[Point], size: tuple[float, float], half: float) -> list[Box]:
    """Return the edges of points of half a width that are given as shares of a plot."""
    middles = np.array([(x * size[0], y * size[1]) for x, y in points]).reshape(-1, 2)
    return [tuple(edges) for edges in _squares(middles, half).tolist()]


def _squares(middles: NDArray[np.float64], half: float) -> NDArray[np.float64]:
    """Return left, right, lower and upper edge of squares, (n, 4), around their middles, (n, 2)."""
    x, y = middles.T
    return np.stack([x - half, x + half, y - half, y + half], axis=1)


def _box(name: str, x: float, y: float, right: float, up: float, measure: _Measure = _ROOMY) -> Box:
    lines = name.split("<br>")
    width, height = max(map(len, lines)) * measure.letter, measure.line + (len(lines) - 1) * _FURTHER
    left = x + right - (width / 2 if right == 0 else width if right < 0 else 0)
    bottom = y + up - (height / 2 if up == 0 else height if up < 0 else 0)
    return left, left + width, bottom, bottom + height
