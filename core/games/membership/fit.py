"""The targets, their sizes and the training set that fit a dataset and are nearest to the requested ones."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from core.statistics.power import fewest_units

_FEWEST_TARGETS, _SMALLEST_SET = 2, 20
"""The bounds of the game's parameters."""
CONCLUSIVE_TARGETS = fewest_units()
"""Targets of all sizes together below which nothing can be concluded."""
INCONCLUSIVE = (
    f"Nothing can be concluded from fewer than {CONCLUSIVE_TARGETS} targets: even decisions that are all right are not "
    "shown to be better than chance."
)
TOO_LITTLE = (
    "The adversary needs documents of its own to learn from and others to compare with, each of another owner where "
    "targets are owners'. What the targets leave to its half is not enough."
)
_ENOUGH_TARGETS = 6
"""Targets of each size below which smaller targets are preferred to fewer."""
_DIVISORS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True)
class Room:
    """What a game needs and finds with some number of targets of each size.

    Attributes:
        in_training: Documents of targets that may be in one training set together.
        fits: The largest training set for which trainer and adversary have documents.
        others: Documents of nobody who is attacked, in each half.
    """

    in_training: int
    fits: int
    others: int

    @property
    def ample(self) -> bool:
        """Whether the adversary has as many documents to learn from as targets have in a training set."""
        return self.others >= self.in_training

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

    @property
    def conclusive(self) -> bool:
        """Whether there are enough targets to show anything."""
        return self.targets * len(self.sizes) >= CONCLUSIVE_TARGETS

    @property
    def rank(self) -> tuple[bool, int]:
        """Higher is better: what can conclude something, then more targets."""
        return self.conclusive, self.targets


def nearest(room_with: Callable[[int, tuple[int, ...]], Room], requested: Plan) -> Plan | None:
    """Return the settings nearest to the requested ones that pass every check of the game's size, or None.

    A smaller training set comes first, then fewer targets, then smaller ones. Of too few targets to conclude anything
    are only those for which there is no other choice; so are those that leave the adversary little to learn from.

    Args:
        room_with: Returns the room with some number of targets of each of some sizes.
        requested: The requested settings.
    """
    best: Plan | None = None
    for divisor in _DIVISORS:
        sizes = tuple(dict.fromkeys(max(size // divisor, 1) for size in requested.sizes))
        plan = _with_sizes(room_with, sizes, requested)
        if plan is not None and (best is None or plan.rank > best.rank):
            best = plan
        if best is not None and best.targets >= min(requested.targets, _ENOUGH_TARGETS):
            return best
        if max(sizes) == 1:
            break
    return best


def halves(documents: int, surely_in: int, for_targets: int, available: int) -> str:
    """Say what two disjoint halves need of a dataset that lacks it.

    Args:
        documents: Training set.
        surely_in: Those of them that are targets' in every play.
        for_targets: Documents of all targets, where they are no real owners'.
        available: Documents of the dataset.
    """
    fresh = max(documents - surely_in, 0)
    filled = f", {surely_in:,} of them of targets that are in," if surely_in else ""
    clause = f" and {for_targets:,} for the targets" if for_targets else ""
    return (
        f"A training set of {documents:,} documents{filled} takes {fresh:,}{' others' if surely_in else ''} from each "
        f"of two disjoint halves, the trainer's and the adversary's. With these{clause}, {for_targets + 2 * fresh:,} "
        f"documents are needed. The dataset has {available:,}."
    )


def half_too_small(half: int, documents: int) -> str:
    """Say that a training set does not fit the documents that a half holds."""
    return (
        f"Each half holds {half:,} documents once the targets' owners are set aside. A training set of {documents:,} "
        "does not fit."
    )


def overfilled(filled: int, documents: int) -> str:
    """Say that targets fill more documents than a training set has."""
    return f"The targets that are in fill {filled:,} documents, more than the training set of {documents:,}."


def instead_of_owners(plan: Plan | None, column: str) -> str:
    """Return why random documents are proposed as targets in place of real owners', as sentences.

    Args:
        plan: Settings that fit real owners, but can conclude nothing; None where none fit.
        column: The column that probably names owners, where none was named.
    """
    if plan is not None:
        return f"With real owners, {plan.targets} targets fit at most. {INCONCLUSIVE} Choose emulated users instead."
    advised = f"Set 'owner_column' to {column!r}, which probably says whose each document is, or choose"
    return f"{advised} emulated users." if column else "Choose emulated users instead."


def enough(surely_in: int, *, owners: bool) -> str:
    """Return what it takes at least to show a leak, as a sentence.

    Of so few targets that is a strong one: where 55% of decisions are right, fewer than half of such games show it.

    Args:
        surely_in: Documents of `CONCLUSIVE_TARGETS` targets of one document that are in every training set.
        owners: Whether targets are documents of real owners.
    """
    others = 2 * (_SMALLEST_SET - surely_in)
    needed = f"{CONCLUSIVE_TARGETS} owners as targets and {others} documents of others" if owners else ""
    fewest = needed or f"{CONCLUSIVE_TARGETS + others} documents"
    return f"To show a strong leak takes at least {fewest}; a weak one takes more."


def advice(plan: Plan | None, requested: Plan, needed: str) -> str:
    """Return settings that fit as a sentence, and whether they can conclude anything."""
    if plan is None:
        return f"No setting fits. {needed}"
    text = f"The nearest training set that fits is {plan.documents:,}"
    if plan.targets != requested.targets or plan.sizes != requested.sizes:
        text += f", with {plan.targets} targets of each size"
    if plan.sizes != requested.sizes:
        text += f" and target sizes {', '.join(map(str, plan.sizes))}"
    if plan.conclusive:
        return f"{text}."
    return f"{text}. It fits, but: {INCONCLUSIVE[0].lower()}{INCONCLUSIVE[1:]} {needed}"


def _with_sizes(
    room_with: Callable[[int, tuple[int, ...]], Room], sizes: tuple[int, ...], requested: Plan
) -> Plan | None:
    def training_set(targets: int, *, ample: bool) -> int | None:
        room = room_with(targets, sizes)
        return room.nearest(requested.documents) if room.ample or not ample else None

    # Fewer targets leave more room: the first of the falling numbers that works is the largest.
    falling = range(requested.targets, _FEWEST_TARGETS - 1, -1)
    plan: Plan | None = None
    for ample in (True, False):
        first = bisect_left(falling, True, key=lambda targets: training_set(targets, ample=ample) is not None)
        if first < len(falling) and (documents := training_set(falling[first], ample=ample)) is not None:
            plan = Plan(falling[first], sizes, documents)
            if plan.conclusive:
                return plan
    return plan
