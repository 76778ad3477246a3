"""The targets, their sizes and the training set that fit a dataset and are nearest to the requested ones."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

_FEWEST_TARGETS, _SMALLEST_SET = 2, 20
"""The bounds of the game's parameters."""
FEWEST_DOCUMENTS = 42
"""Two halves of the smallest training set, and two targets of one document."""
_ENOUGH_TARGETS = 6
"""Targets of each size below which smaller targets are preferred to fewer."""
_DIVISORS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


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
        """Return the training set that works and is nearest to the requested one, or None."""
        low = max(self.in_training, _SMALLEST_SET)
        return min(max(documents, low), self.fits) if low <= self.fits else None


@dataclass(frozen=True)
class Plan:
    """Settings of a game that fit.

    Attributes:
        targets: Targets of each size.
        sizes: Documents of a target.
        documents: Training set.
    """

    targets: int
    sizes: tuple[int, ...]
    documents: int


def nearest(room_with: Callable[[int, tuple[int, ...]], Room], requested: Plan) -> Plan | None:
    """Return the settings nearest to the requested ones that pass every check of the game's size, or None.

    A smaller training set comes first, then fewer targets, then smaller ones.

    Args:
        room_with: Returns the room with some number of targets of each of some sizes.
        requested: The requested settings.
    """
    best: Plan | None = None
    for divisor in _DIVISORS:
        sizes = tuple(dict.fromkeys(max(size // divisor, 1) for size in requested.sizes))
        plan = _with_sizes(room_with, sizes, requested)
        if plan is not None and (best is None or plan.targets > best.targets):
            best = plan
        if best is not None and best.targets >= min(requested.targets, _ENOUGH_TARGETS):
            return best
        if max(sizes) == 1:
            break
    return best


def advice(plan: Plan, requested: Plan) -> str:
    """Return settings that fit as a sentence."""
    text = f"The nearest training set that fits is {plan.documents:,}"
    if plan.targets != requested.targets or plan.sizes != requested.sizes:
        text += f", with {plan.targets} targets of each size"
    if plan.sizes != requested.sizes:
        text += f" and target sizes {', '.join(map(str, plan.sizes))}"
    return f"{text}."


def _with_sizes(
    room_with: Callable[[int, tuple[int, ...]], Room], sizes: tuple[int, ...], requested: Plan
) -> Plan | None:
    def training_set(targets: int) -> int | None:
        return room_with(targets, sizes).nearest(requested.documents)

    # Fewer targets leave more room: the first of the falling numbers that works is the largest.
    falling = range(requested.targets, _FEWEST_TARGETS - 1, -1)
    first = bisect_left(falling, True, key=lambda targets: training_set(targets) is not None)
    if first == len(falling):
        return None
    documents = training_set(falling[first])
    return None if documents is None else Plan(falling[first], sizes, documents)
