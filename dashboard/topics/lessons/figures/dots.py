"""Values as dots on the axis of a small drawing, stacked where they share a bin."""

from collections import Counter
from collections.abc import Sequence

from dashboard.topics.lessons.figures.sketch import Sketch

_RADIUS, _BINS = 4.5, 34
"""Radius of a dot, and bins on the axis: one is as wide as a dot."""


class DotStacks:
    """Stacks of dots, one dot for each value.

    Attributes:
        height: Height of the tallest stack.
    """

    def __init__(self, values: Sequence[float], ends: tuple[float, float], most: float) -> None:
        """Stack values on the axis between two ends, at most as high as ``most``."""
        self._ends = ends
        self._bins = Counter(map(self._bin, values))
        highest = max(self._bins.values(), default=1)
        self._step = min(2 * _RADIUS, most / highest)
        self.height = self._step * highest

    def draw(self, sketch: Sketch, floor: float, colour: str, own_value: float | None) -> None:
        """Draw the stacks on a floor, with a ring around one dot of the viewer's own value."""
        own_bin = None if own_value is None else self._bin(own_value)
        for number, count in sorted(self._bins.items()):
            x = Sketch.MARGIN + Sketch.LENGTH * number / (_BINS - 1)
            for level in range(count):
                y = floor - _RADIUS - self._step * level
                sketch.dot(x, y, _RADIUS, colour, ringed=level == 0 and number == own_bin)

    def _bin(self, value: float) -> int:
        return round(Sketch.share(value, self._ends) * (_BINS - 1))
