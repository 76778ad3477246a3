"""Decisions of one model about documents: intervals resample documents, and random marks give the chance level."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.statistics.clustered import Clustered
from core.statistics.decisions import Decisions, Values
from core.statistics.intervals import Interval, settled
from core.statistics.measures import MEASURES

REMARKED = 399
"""Draws of random marks."""


def random_marks(member: NDArray[np.bool_], cluster: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return random marks, (draws, targets), as many of them in; marks of one cluster stay together.

    Where all of each cluster have the same mark, as many clusters are in; of unequal ones other numbers of targets are
    then in. Else clusters exchange their marks in a random order, which splits those of unequal sizes.

    Args:
        member: (targets,) which are in.
        cluster: (targets,) number of the cluster of each, such as its owner.
        rng: Source of the draws.
    """
    numbers = np.unique(cluster, return_inverse=True)[1]
    inside, sizes = np.bincount(numbers, member), np.bincount(numbers)
    if len(sizes) < len(member) and ((inside == 0) | (inside == sizes)).all():
        return np.stack([rng.permutation(inside > 0)[numbers] for _ in range(REMARKED)])
    together = np.argsort(numbers, kind="stable")
    rows_of = np.split(together, np.cumsum(sizes)[:-1])
    alone = len(rows_of) == len(member)
    drawn = np.empty((REMARKED, len(member)), np.bool_)
    for row in drawn:
        orders = (rng.permutation(len(rows_of)) for _ in range(2))
        to, of = (
            together[order] if alone else np.concatenate([rows_of[number] for number in order]) for order in orders
        )
        row[to] = member[of]
    return drawn


def _values(redrawn: Sequence[Decisions], name: str) -> NDArray[np.float64]:
    """Return a figure of each draw of decisions, (draws,)."""
    return np.array([decisions.value(name) for decisions in redrawn])


@dataclass(frozen=True)
class OfOneModel(Clustered):
    """Decisions of one model, (1, targets), whose targets may come in clusters, such as those of one owner.

    A bootstrap of few targets excludes chance too often. Here an end of an interval lies beyond chance only if random
    marks on the same scores reach the figure in less than 2.5 % of draws, a permutation test; otherwise it is chance.
    Marks are drawn cluster by cluster, so that those of one owner stay together.
    """

    def figures(self, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures with their 95 % intervals; those not measurable are NaN."""
        figures = super().figures(names, rng)
        redrawn = list(self._by_chance(rng))
        return {
            name: settled(figure, MEASURES[name].chance, partial(_values, redrawn, name))
            for name, figure in figures.items()
        }

    def _by_chance(self, rng: np.random.Generator) -> Iterator[Self]:
        """Yield decisions that tell nothing, one a draw: random marks on the same scores."""
        for member in random_marks(self.member[0], self.document, rng):
            yield replace(self, member=member[None])


@dataclass(frozen=True)
class OfOneClassifier(OfOneModel):
    """Decisions of a classifier that was trained on the marks of other targets.

    It varies more than random marks on the same scores do, since its training varies too. So chance is that of the
    classifier trained on random marks, and an interval is as many times wider than the bootstrap's of the targets as
    the AUC of these varies more than that of random marks on the same scores.

    Attributes:
        random_member: (draws, targets) random marks.
        random_score: (draws, targets) scores of the classifier trained on them.
    """

    random_member: NDArray[np.bool_]
    random_score: NDArray[np.float64]

    @cached_property
    def wider(self) -> float:
        """How many times wider an interval is for the training, at least 1."""
        same = [replace(self, member=member[None]).value("auc") for member in self.random_member]
        trained = [decisions.value("auc") for decisions in self._trained_by_chance()]
        spread = float(np.std(same))
        return max(float(np.std(trained)) / spread, 1.0) if spread > 0 else 1.0

    def _by_chance(self, rng: np.random.Generator) -> Iterator[Self]:
        return self._trained_by_chance()

    def _trained_by_chance(self) -> Iterator[Self]:
        """Yield the decisions of the classifier trained on random marks, one a draw."""
        for member, score in zip(self.random_member, self.random_score, strict=True):
            yield replace(self, member=member[None], score=score[None])

    def _bounded(self, value: float, drawn: Values) -> Interval:
        return super()._bounded(value, np.clip(value + self.wider * (drawn - value), 0.0, 1.0))
