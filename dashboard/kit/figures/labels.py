"""Places names beside points so that they cover neither each other nor a point."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WIDTH, _HEIGHT = 8.2, 17.0
_NEAR, _FAR = 9.0, 32.0
_CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_SPOTS = [(right * away, up * away) for away in (_NEAR, _FAR) for right, up in _CORNERS]


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
    names: Sequence[str],
    at: Sequence[tuple[float, float]],
    points: Sequence[tuple[float, float]],
    inside: tuple[float, float, float, float],
) -> list[Placed]:
    """Return a position for each name; earlier names choose first.

    Args:
        names: The texts.
        at: Point of each name, in pixels.
        points: All points of the figure, in pixels.
        inside: Left, right, lower and upper edge of the figure, in pixels.
    """
    left, right, lower, upper = inside
    taken = [(x - 5, x + 5, y - 5, y + 5) for x, y in points]
    placed = []
    for name, (x, y) in zip(names, at, strict=True):
        boxes = np.array([_box(len(name), x, y, *spot) for spot in _SPOTS])
        size = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
        outside = size - _shared(boxes, np.array([(left, right, lower, upper)]))
        best = int(np.argmin(_shared(boxes, np.array(taken).reshape(-1, 4)) + outside))
        taken.append(tuple(boxes[best]))
        placed.append(Placed(name, *_SPOTS[best]))
    return placed


def _shared(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the area that each box shares with others, (boxes,), given left, right, lower and upper edges, (n, 4)."""
    width = np.minimum(boxes[:, None, 1], others[:, 1]) - np.maximum(boxes[:, None, 0], others[:, 0])
    height = np.minimum(boxes[:, None, 3], others[:, 3]) - np.maximum(boxes[:, None, 2], others[:, 2])
    area: NDArray[np.float64] = (width.clip(min=0) * height.clip(min=0)).sum(axis=1)
    return area


def _box(letters: int, x: float, y: float, right: float, up: float) -> tuple[float, float, float, float]:
    width = letters * _WIDTH
    left = x + right - (width / 2 if right == 0 else width if right < 0 else 0)
    bottom = y + up - (_HEIGHT / 2 if up == 0 else _HEIGHT if up < 0 else 0)
    return left, left + width, bottom, bottom + _HEIGHT
