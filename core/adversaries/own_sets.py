"""Sets of an adversary's own documents, which show the scores of targets that are out."""

from collections.abc import Callable, Sequence
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

_DRAWS = 50
"""Sets of each owner."""

_ROUNDING = 1e-12
"""Share of the values below which their deviation is rounding."""


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
    order = generator(briefing.seed, "owners asked about").permutation(len(owned))
    fitting = int((np.cumsum([len(owned[number]) for number in order]) <= most).sum())
    rows = np.sort(np.concatenate([owned[number] for number in order[: max(fitting, OWNERS)]]))
    return rows, Sets(len(rows), briefing.seed, [briefing.owners[row] for row in rows])


@dataclass(frozen=True)
class Usual:
    """What the scores of targets that are out are like.

    Attributes:
        bound: What 5% of them exceed.
        deviation: By how much one of them deviates from their mean; 1, which leaves scores as they are, where it is not
            told.
    """

    bound: float
    deviation: float = 1.0

    def beyond(self, score: float) -> float:
        """Return by how many deviations a score exceeds the bound."""
        return (score - self.bound) / self.deviation


@dataclass(frozen=True)
class Sets:
    """Sets of auxiliary documents, which a target is compared with.

    Documents of one person are alike. So sets of documents of many people differ less from each other than people do,
    and a threshold that 5% of such sets exceed is exceeded by more than 5% of people. Where owners are known, each set
    is of one of them.

    Attributes:
        documents: Number of auxiliary documents.
        seed: Seed of the draw.
        owners: Owner of each document; empty where they are not known.
    """

    documents: int
    seed: int
    owners: Sequence[str] = ()

    def usual(self, hits: NDArray[Any], totals: NDArray[Any], size: int) -> Usual:
        """Return what shares of hits are usual for targets that are like the sets.

        Args:
            hits: (documents,) hits in each, or anything else that adds up.
            totals: (documents,) out of how many.
            size: Documents of a target.
        """

        def of(rows: NDArray[np.int64]) -> NDArray[np.float64]:
            below = totals[rows].sum(axis=1)
            return np.where(below != 0, hits[rows].sum(axis=1) / np.where(below != 0, below, 1.0), np.nan)

        return self.usual_of(of, size)

    def usual_of(self, score: Callable[[NDArray[np.int64]], NDArray[np.float64]], size: int) -> Usual:
        """Return what scores are usual for targets that are like the sets.

        The bound is the 95% quantile of many sets. Where there are two owners or more, who are few, it is that for one
        more of them (`of_one_more`).

        Args:
            score: Gives the scores of sets, (sets,), for their documents, (sets, documents); NaN for one without any.
            size: Documents of a target.
        """
        if self.owners:
            scores = np.array([score(rows) for rows in self.of_each_owner(size)])
            values = np.where(np.isfinite(scores), scores, np.nan)
            values = values[np.isfinite(values).any(axis=1)]
            if len(values) > 1:
                return of_one_more(values)
        return Usual(float(np.quantile(np.nan_to_num(score(self.drawn(size))), 1 - LEVEL)))

    def drawn(self, size: int) -> NDArray[np.int64]:
        """Return the numbers of the documents of each of many sets of anybody, drawn with replacement, (sets, size)."""
        return _drawn(self.documents, self.seed, size)

    def of_each_owner(self, size: int) -> list[NDArray[np.int64]]:
        """Return sets of each owner, (draws, size) or all that there are; none holds a document twice."""
        return _of_each_owner(tuple(self.owners), self.seed, size)

    def disjoint(self, size: int, least: float = LEAST) -> list[NDArray[np.int64]]:
        """Return sets that share no document: one of each owner, (size,) or all that there are, else as many as fit.

        An owner has at least a share of the size, ``least``, unless fewer than `OWNERS` have.
        """
        rng = generator(self.seed, "disjoint sets of its own documents", size)
        if self.owners:
            return [rng.permutation(rows)[:size] for rows in _large(tuple(self.owners), size, least)]
        return list(rng.permutation(self.documents)[: self.documents // size * size].reshape(-1, size))


def of_one_more(values: NDArray[np.float64]) -> Usual:
    """Return what is usual for a set of one more owner, by several sets of each of two owners or more.

    It deviates from the mean of ``n`` owners by the root of ``t + b / n``, where ``t`` is the variance of sets of
    different owners, and ``b`` that of the means of owners. The bound lies above the mean by that much times Student's
    95% quantile, with ``(n - 1) (t / b)²`` degrees of freedom (Satterthwaite 1946): where sets of one owner differ,
    they tell more of ``t`` than owners alone. The values are taken to be about normal.

    Args:
        values: (owners, sets); NaN where nothing is known of a set, but not of all of an owner.

    >>> usual = of_one_more(np.array([[1.0], [2.0], [3.0]]))
    >>> round(usual.bound, 3), round(usual.deviation, 3), round(usual.beyond(6.0), 3)
    (5.372, 1.155, 0.544)
    >>> round(of_one_more(np.array([[1.0, 3.0], [3.0, 1.0]])).bound, 3)
    4.326
    """
    from scipy.stats import t as student

    of_owners = np.nanmean(values, axis=1)
    values = np.where(np.isfinite(values), values, of_owners[:, None])
    total, between = float(values.var(axis=0, ddof=1).mean()), float(of_owners.var(ddof=1))
    deviation = float(np.sqrt(total + between / len(values)))
    if deviation <= _ROUNDING * np.abs(values).max():
        return Usual(float(values.max()))
    freedom = (len(values) - 1) * (total / between) ** 2 if between > 0 else np.inf
    return Usual(float(of_owners.mean() + student.ppf(1 - LEVEL, freedom) * deviation), deviation)


@lru_cache(maxsize=16)
def _drawn(documents: int, seed: int, size: int) -> NDArray[np.int64]:
    """Return the sets, the same for every target of that size."""
    sets = generator(seed, "sets of its own documents", size).integers(documents, size=(_SETS, size))
    sets.flags.writeable = False
    return sets


@lru_cache(maxsize=16)
def _of_each_owner(owners: tuple[str, ...], seed: int, size: int) -> list[NDArray[np.int64]]:
    """Return the sets of each owner, the same for every target of that size."""
    rng = generator(seed, "sets of each owner", size)
    return [rng.permuted(np.tile(rows, (_DRAWS, 1)), axis=1)[:, :size] for rows in _large(owners, size, LEAST)]


@lru_cache(maxsize=16)
def _large(owners: tuple[str, ...], size: int, least: float) -> list[NDArray[np.int64]]:
    """Return the documents of each owner with enough for a set of a size, or of the `OWNERS` that have most."""
    order = np.argsort(numbers := np.unique(np.array(owners), return_inverse=True)[1], kind="stable")
    owned = np.split(order, np.cumsum(np.bincount(numbers))[:-1])
    large = [rows for rows in owned if len(rows) >= least * size]
    return large if len(large) >= min(OWNERS, len(owned)) else sorted(owned, key=len)[-OWNERS:]
