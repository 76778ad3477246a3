"""Decisions of one model about documents: intervals resample documents, and random marks give the chance level."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from core.statistics.clustered import Clustered
from core.statistics.decisions import CELLS, Decisions, Resamples, Values
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


class _Agreeing(Resamples):
    """Resamples each of which gives the same bits as if it were the only one: sums go through a row at a time."""

    @cached_property
    def positives(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """False and true positives at each threshold, from the strictest, (resamples, thresholds) each."""
        alarms, hits = super().positives
        return np.ascontiguousarray(alarms), np.ascontiguousarray(hits)


def under_marks(decisions: Decisions, marks: NDArray[np.bool_], name: str) -> Values:
    """Return a figure of the scores of one model under each draw of marks, (draws,).

    Each target is decided about twice, as one that is in and as one that is out, and the decision that agrees with a
    draw counts once in it.

    Args:
        decisions: Those of one model, (1, targets).
        marks: (draws, targets) which are in.
        name: The figure, of those in the statistics of the decisions.
    """
    score, positive = np.repeat(decisions.score, 2, axis=0), np.repeat(decisions.positive, 2, axis=0)
    both = Decisions(np.repeat([[True], [False]], decisions.member.size, axis=1), score, guess=positive)
    blocks = np.array_split(marks, -(-2 * marks.size // CELLS))
    times = (np.stack([block, ~block], axis=1).astype(np.int64) for block in blocks)  # (draws, 2, targets)
    return np.concatenate([decisions.statistics[name](_Agreeing(both, agreeing)) for agreeing in times])


@dataclass(frozen=True)
class OfOneModel(Clustered):
    """Decisions of one model, (1, targets), whose targets may come in clusters, such as those of one owner.

    A bootstrap of few targets excludes chance too often. Here an end of an interval lies beyond chance only if random
    marks on the same scores reach the figure in less than 2.5% of draws, a permutation test; otherwise it is chance.
    Marks are drawn cluster by cluster, so that those of one owner stay together.
    """

    def figures(self, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures with their 95% intervals; those not measurable are NaN."""
        figures = super().figures(names, rng)
        by_chance = self._by_chance(rng)
        return {
            name: settled(figure, MEASURES[name].chance, partial(by_chance, name)) for name, figure in figures.items()
        }

    def _by_chance(self, rng: np.random.Generator) -> Callable[[str], Values]:
        """Return what draws each figure of decisions that tell nothing: random marks on the same scores."""
        marks = random_marks(self.member[0], self.document, rng)
        return partial(under_marks, self, marks)


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
        spread = float(np.std(under_marks(self, self.random_member, "auc")))
        return max(float(np.std(self._trained_areas)) / spread, 1.0) if spread > 0 else 1.0

    def _by_chance(self, rng: np.random.Generator) -> Callable[[str], Values]:
        return lambda name: self._trained_areas if name == "auc" else self._trained_by_chance(name)

    @cached_property
    def _trained_areas(self) -> Values:
        return self._trained_by_chance("auc")

    def _trained_by_chance(self, name: str) -> Values:
        """Return a figure of the classifier trained on each draw of random marks, (draws,)."""
        draws = zip(self.random_member, self.random_score, strict=True)
        return np.array([replace(self, member=member[None], score=score[None]).value(name) for member, score in draws])

    def _bounded(self, value: float, drawn: Values) -> Interval:
        return super()._bounded(value, np.clip(value + self.wider * (drawn - value), 0.0, 1.0))
