"""Places names beside points and at the ends of lines so that they cover neither each other nor a point."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing

_WIDTH, _HEIGHT = 8.2, 17.0
_NEAR, *_FAR = 16.0, 36.0, 60.0
_CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_MARK = 12.0
"""Half the width of a point with its edge, in pixels."""
_SPOTS = [(right * away, up * away) for away in (_NEAR, *_FAR) for right, up in _CORNERS]

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, right, lower and upper edge, in pixels."""


@dataclass(frozen=True)
class Placed:
    """Position of a name.

    Attributes:
        text: The name.
        right: Pixels from its point to the name's nearest edge, to the right; 0 centres it.
        up: The same upwards.
    """

    text: str
    right: float
    up: float

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
        return max(abs(self.right), abs(self.up)) > _NEAR


def place(
    names: Sequence[str], at: Sequence[Point], points: Sequence[Point], sizes: Sequence[tuple[float, float]]
) -> list[Placed]:
    """Return a position for each name that covers least on all screens; earlier names choose first.

    Args:
        names: The texts, lines divided by ``<br>``.
        at: Point of each name, as shares of the plot from its left and lower edge.
        points: All points of the figure, likewise.
        sizes: Width and height of the plot on each screen, in pixels.
    """
    taken = [[_around(x * width, y * height) for x, y in points] for width, height in sizes]
    placed = []
    for name, (x, y) in zip(names, at, strict=True):
        screens = [np.array([_box(name, x * width, y * height, *spot) for spot in _SPOTS]) for width, height in sizes]
        costs = [
            _shared(boxes, np.array(others).reshape(-1, 4)) + _outside(boxes, size)
            for boxes, others, size in zip(screens, taken, sizes, strict=True)
        ]
        best = int(np.argmin(np.sum(costs, axis=0)))
        for boxes, others in zip(screens, taken, strict=True):
            others.append(tuple(boxes[best]))
        placed.append(Placed(name, *_SPOTS[best]))
    return placed


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


def _shared(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the area that each box shares with others, (boxes,), given left, right, lower and upper edges, (n, 4)."""
    width = np.minimum(boxes[:, None, 1], others[:, 1]) - np.maximum(boxes[:, None, 0], others[:, 0])
    height = np.minimum(boxes[:, None, 3], others[:, 3]) - np.maximum(boxes[:, None, 2], others[:, 2])
    area: NDArray[np.float64] = (width.clip(min=0) * height.clip(min=0)).sum(axis=1)
    return area


def _outside(boxes: NDArray[np.float64], size: tuple[float, float]) -> NDArray[np.float64]:
    """Return the area of each box beyond a plot."""
    area: NDArray[np.float64] = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
    return area - _shared(boxes, np.array([(0.0, size[0], 0.0, size[1])]))


def _around(x: float, y: float) -> Box:
    return x - _MARK, x + _MARK, y - _MARK, y + _MARK


def _box(name: str, x: float, y: float, right: float, up: float) -> Box:
    lines = name.split("<br>")
    width, height = max(map(len, lines)) * _WIDTH, len(lines) * _HEIGHT
    left = x + right - (width / 2 if right == 0 else width if right < 0 else 0)
    bottom = y + up - (height / 2 if up == 0 else height if up < 0 else 0)
    return left, left + width, bottom, bottom + height
