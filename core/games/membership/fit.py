"""What fits a dataset: the targets of each size and the training set nearest to those that were asked for."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

_FEWEST_TARGETS, _SMALLEST_SET = 2, 20
"""The bounds of the game's parameters."""


@dataclass(frozen=True)
class Room:
    """What a game needs and finds with some number of targets of each size.

    Attributes:
        in_training: Documents of targets that may be in one training set together.
        fits: The largest training set for which trainer and adversary have documents.
    """

    in_training: int
    fits: int

    def nearest(self, documents: int) -> int | None:
        """Return the training set nearest to the one asked for that works, or None."""
        low = max(self.in_training, _SMALLEST_SET)
        return min(max(documents, low), self.fits) if low <= self.fits else None


def advice(room_with: Callable[[int], Room], targets: int, documents: int) -> str:
    """Return what to change so that every check of the game's size passes.

    Args:
        room_with: Returns the room with some number of targets of each size.
        targets: Targets of each size, as asked for.
        documents: Training set, as asked for.
    """
    # Fewer targets leave more room: the first of the falling numbers that works is the largest.
    falling = range(targets, _FEWEST_TARGETS - 1, -1)
    place = bisect_left(falling, True, key=lambda fewer: room_with(fewer).nearest(documents) is not None)
    if place == len(falling):
        return f"Not even {_FEWEST_TARGETS} targets of each size fit. Use smaller target sizes."
    fewer = falling[place]
    nearest = f"The nearest training set that fits is {room_with(fewer).nearest(documents)}"
    return f"{nearest}." if fewer == targets else f"{nearest}, with {fewer} targets of each size."
