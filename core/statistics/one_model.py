"""Decisions of one model about documents: intervals resample documents, and random marks give the chance level."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.statistics.clustered import Clustered
from core.statistics.intervals import LEVEL, Interval
from core.statistics.measures import MEASURES

REMARKED = 399
"""Draws of random marks."""


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
        redrawn = [replace(self, member=member[None]) for member in self._marks(rng)]
        for name, (value, low, high) in figures.items():
            chance = MEASURES[name].chance
            if not np.isfinite(value) or low <= chance <= high:
                continue
            by_chance = np.array([decisions.value(name) for decisions in redrawn])
            as_far = (by_chance >= value).sum() if low > chance else (by_chance <= value).sum()
            if (1 + as_far) / (1 + REMARKED) > (1 - LEVEL) / 2:
                figures[name] = Interval(value, min(low, chance), max(high, chance))
        return figures

    def _marks(self, rng: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
        """Yield random marks, (targets,), as many of them in."""
        member, cluster = self.member[0], self.document
        rows_of = np.split(np.argsort(cluster, kind="stable"), np.cumsum(np.bincount(cluster))[:-1])
        for _ in range(REMARKED):
            to, of = (np.concatenate([rows_of[number] for number in rng.permutation(len(rows_of))]) for _ in range(2))
            drawn = np.empty_like(member)
            drawn[to] = member[of]
            yield drawn
