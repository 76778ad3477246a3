"""Sets of an adversary's own documents, which show the scores of targets that are out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import Incompatible
from core.games.membership.contract import Briefing
from core.runtime.seeding import generator

Text = Sequence[Sequence[str]]
"""The words of each of several documents."""

LEVEL = 0.05
"""False-positive rate of a threshold."""

FEWEST = round(1 / LEVEL) - 1
"""Fewest sets that are known to be out: one target in twenty would exceed them all by luck."""

LEAST = 0.25
"""Share of a target's documents that the set of an owner has at least."""

OWNERS = 8
"""Fewest owners whose sets tell how much people differ."""

_SETS = 1000
"""Sets drawn from auxiliary documents."""


def exceeded(sets: int) -> int:
    """Return how many sets a target must exceed, so that at most one in twenty does, were it one of them.

    >>> exceeded(19), exceeded(25), exceeded(39)
    (19, 25, 38)
    """
    return int(np.ceil(round((1 - LEVEL) * (sets + 1), 9)))


def promised(sets: int) -> float:
    """Return the share of the targets that exceed so many sets, were each of them a set.

    >>> promised(19), round(promised(25), 3)
    (0.05, 0.038)
    """
    return (sets + 1 - exceeded(sets)) / (sets + 1)


def set_aside(briefing: Briefing, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Divide the auxiliary documents at random; where owners are known, none has documents on both sides.

    Returns:
        Positions in the auxiliary documents: of about a share of them, at least one, and of the others. Neither is
        empty. Where owners are known, at least `OWNERS` of them are set aside, or half of them if that is fewer.

    Raises:
        Incompatible: There is only one document, or one owner where owners are known.
    """
    rng, count = generator(briefing.seed, "documents set aside"), len(briefing.auxiliary)
    names = np.array(briefing.owners) if briefing.owners else np.arange(count)
    numbers = np.unique(names, return_inverse=True)[1]
    if numbers.max() < 1:
        others, one, two = (
            ("those of other owners", "documents of one owner", "owners")
            if briefing.owners
            else ("others", "one document", "documents")
        )
        raise Incompatible(
            f"The adversary learns from some documents of its own, and compares with {others}. 'shadow_data' holds "
            f"{one}. Choose data with two {two} or more, or none: the adversary then has its half of the dataset."
        )
    rank = rng.permutation(numbers.max() + 1)[numbers]
    order = np.argsort(rank, kind="stable")
    last = rank[order[min(max(round(share * count) - 1, 0), count - 1)]]
    if briefing.owners:
        last = max(last, min(OWNERS, (numbers.max() + 1) // 2) - 1)
    chosen = rank <= min(last, numbers.max() - 1)
    return np.flatnonzero(chosen), np.flatnonzero(~chosen)


def asked_about(briefing: Briefing, most: int) -> tuple[NDArray[np.int64], "Sets"]:
    """Return the auxiliary documents that a model is asked about, and the sets of them.

    Where owners are known, they are of whole owners, in a random order: of each as many as the largest target has, or
    all.

    Args:
        briefing: What the adversary knows.
        most: Largest number of documents, but for `OWNERS` owners.

    Returns:
        (documents,) positions in the auxiliary documents, ascending; and their sets.
    """
    count = len(briefing.auxiliary)
    if not briefing.owners:
        drawn = generator(briefing.seed, "documents known to be out").choice(count, min(most, count), replace=False)
        return np.sort(drawn), Sets(len(drawn), briefing.seed)
    size = max(target.size for target in briefing.targets)
    owned = Sets(count, briefing.seed, briefing.owners).disjoint(size)
    order = generator(briefing.seed, "owners known to be out").permutation(len(owned))
    fitting = int((np.cumsum([len(owned[number]) for number in order]) <= most).sum())
    rows = np.sort(np.concatenate([owned[number] for number in order[: max(fitting, OWNERS)]]))
    return rows, Sets(len(rows), briefing.seed, [briefing.owners[row] for row in rows])


@dataclass(frozen=True)
class Sets:
    """Sets of auxiliary documents, which a target is compared with.

    Documents of one person are alike. So sets of documents of many people differ less from each other than people do,
    and a threshold that 5% of such sets exceed is exceeded by more than 5% of people. Where owners are known, each set
    is of one of them.

    Attributes:
        documents: Number of auxiliary documents.
        seed: Source of the draws.
        owners: The owner of each document, where each set is of one owner; empty where sets mix owners.
    """

    documents: int
    seed: int
    owners: Sequence[str] = ()

    def usual(self, hits: NDArray[Any], totals: NDArray[Any], size: int) -> float:
        """Return the share of hits that 5% of targets exceed that are like the sets.

        That is the 95% quantile of many sets. Of two owners or more, who are few, it is Student's bound for one more
        value of a normal distribution, by a set of each; sets without a total are left out.

        Args:
            hits: (documents,) hits in each, or anything else that adds up.
            totals: (documents,) out of how many.
            size: Documents of a target.
        """
        if self.owners:
            sums = [(hits[rows].sum(), totals[rows].sum()) for rows in self.disjoint(size)]
            if len(shares := np.array([hit / total for hit, total in sums if total])) > 1:
                return bound_of_one_more(shares)
        sets = self.drawn(size)
        shares = hits[sets].sum(axis=1) / np.maximum(totals[sets].sum(axis=1), 1)
        return float(np.quantile(shares, 1 - LEVEL))

    def drawn(self, size: int) -> NDArray[np.int64]:
        """Return the numbers of the documents of each of many sets, drawn with replacement, (sets, size)."""
        return _drawn(self.documents, self.seed, tuple(self.owners), size)

    def disjoint(self, size: int, least: float = LEAST) -> list[NDArray[np.int64]]:
        """Return sets that share no document: one of each owner, (size,) or all that there are, else as many as fit.

        An owner has at least a share of the size, ``least``, unless none has.
        """
        rng = generator(self.seed, "disjoint sets of its own documents", size)
        if self.owners:
            return [rng.permutation(rows)[:size] for rows in _large(tuple(self.owners), size, least)]
        return list(rng.permutation(self.documents)[: self.documents // size * size].reshape(-1, size))


def bound_of_one_more(values: NDArray[np.float64]) -> float:
    """Return what one more value of the same normal distribution exceeds in one case of twenty, by two or more.

    The mean and, times Student's 95% quantile, the standard deviation of a value and of the mean together.

    >>> round(bound_of_one_more(np.array([1.0, 2.0, 3.0])), 3)
    5.372
    """
    from scipy.special import stdtrit

    count = len(values)
    return float(values.mean() + stdtrit(count - 1, 1 - LEVEL) * values.std(ddof=1) * np.sqrt(1 + 1 / count))


@lru_cache(maxsize=16)
def _drawn(documents: int, seed: int, owners: tuple[str, ...], size: int) -> NDArray[np.int64]:
    """Return the sets, the same for every target of that size."""
    rng = generator(seed, "sets of its own documents", size)
    sets = _of_one_owner(owners, size, rng) if owners else rng.integers(documents, size=(_SETS, size))
    sets.flags.writeable = False
    return sets


def _of_one_owner(owners: tuple[str, ...], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return sets of one owner each, (sets, size)."""
    large = _large(owners, size, LEAST)
    chosen = [large[owner] for owner in rng.integers(len(large), size=_SETS)]
    return np.stack([rows[rng.integers(len(rows), size=size)] for rows in chosen])


@lru_cache(maxsize=16)
def _large(owners: tuple[str, ...], size: int, least: float) -> list[NDArray[np.int64]]:
    """Return the documents of each owner with enough for a set of a size, or of all owners where none has."""
    order = np.argsort(numbers := np.unique(np.array(owners), return_inverse=True)[1], kind="stable")
    owned = np.split(order, np.cumsum(np.bincount(numbers))[:-1])
    return [rows for rows in owned if len(rows) >= least * size] or owned
