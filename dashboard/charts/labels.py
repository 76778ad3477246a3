"""Finds room for names beside points, so that they cover neither each other nor a point."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT = 8.2, 17.0
_NEAR, _FAR = 9.0, 32.0
_CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_SPOTS = [(right * away, up * away) for away in (_NEAR, _FAR) for right, up in _CORNERS]


@dataclass(frozen=True)
class Placed:
    """Where a name goes.

    Attributes:
        text: The name.
        right: Pixels from its point to the name's nearest edge, to the right; 0 centres it.
        up: The same upwards.
    """

    text: str
    right: float
    up: float

    @property
    def is_far(self) -> bool:
        """Tell whether a line must lead from the point to the name."""
        return max(abs(self.right), abs(self.up)) > _NEAR


@dataclass(frozen=True)
class _Box:
    left: float
    right: float
    bottom: float
    top: float

    def shared(self, other: "_Box") -> float:
        """Return the area that two boxes share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)

    def outside(self, frame: "_Box") -> float:
        """Return the area that lies outside a frame."""
        return (self.right - self.left) * (self.top - self.bottom) - self.shared(frame)


def place(
    names: Sequence[str],
    at: Sequence[tuple[float, float]],
    points: Sequence[tuple[float, float]],
    inside: tuple[float, float, float, float],
) -> list[Placed]:
    """Return a place for each name, the first names choosing first.

    Args:
        names: What to write.
        at: Each name's own point, in pixels.
        points: All points that are drawn, in pixels.
        inside: Left, right, lower and upper edge of the figure, in pixels.
    """
    taken = [_Box(x - 5, x + 5, y - 5, y + 5) for x, y in points]
    frame = _Box(*inside)
    placed = []
    for name, (x, y) in zip(names, at, strict=True):
        boxes = [_box(len(name), x, y, *spot) for spot in _SPOTS]
        covered = [sum(box.shared(other) for other in taken) + box.outside(frame) for box in boxes]
        best = min(range(len(boxes)), key=lambda number: covered[number])
        taken.append(boxes[best])
        placed.append(Placed(name, *_SPOTS[best]))
    return placed


def _box(letters: int, x: float, y: float, right: float, up: float) -> _Box:
    width = letters * _WIDTH
    left = x + right - (width / 2 if right == 0 else width if right < 0 else 0)
    bottom = y + up - (_HEIGHT / 2 if up == 0 else _HEIGHT if up < 0 else 0)
    return _Box(left, left + width, bottom, bottom + _HEIGHT)
