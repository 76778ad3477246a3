"""Word-pair adversaries whose scores are calibrated for each target, so that all targets can share one threshold."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.access import Access, WordVectors
from core.adversaries.pairs.adversaries import PairAdversary
from core.adversaries.pairs.plan import Distance, distances, scaled
from core.adversaries.pairs.student import Student
from core.games.membership.contract import Answer

_FOLDS = 5


@dataclass(frozen=True)
class Usual:
    """What the linear function of a target gives in shadow models that it was not fitted to.

    Attributes:
        inside: Mean over the models with the target.
        outside: Mean over those without it.
        variance: Within either.
    """

    inside: float
    outside: float
    variance: float

    @classmethod
    def of(cls, student: Student, target: int, pairs: int, distance: Distance) -> "Usual":
        """Return it for a target: each fifth of the shadow pairs is scored by the function of the others."""
        measured, member = student.distances(target, pairs, distance)
        fold = (np.arange(len(member)) // 2) % min(_FOLDS, pairs)
        score = np.empty(len(member))
        for number in np.unique(fold):
            left_out = fold == number
            function = student.fit(measured[~left_out], member[~left_out], pairs)
            score[left_out] = function(measured[left_out][:, function.features])
        sides = score[member], score[~member]
        variance = float(np.mean([side.var(ddof=min(1, len(side) - 1)) for side in sides]))
        return cls(float(sides[0].mean()), float(sides[1].mean()), variance)

    def log_ratio(self, score: float) -> float:
        """Return the log likelihood ratio of a score with and without the target, 0 where members score no higher."""
        gap = self.inside - self.outside
        if gap <= 0:
            return 0.0
        return gap / max(self.variance, 1e-12) * (score - (self.inside + self.outside) / 2)


@dataclass(frozen=True, eq=False)
class LikelihoodRatio(PairAdversary):
    """The log likelihood ratio of the linear function, by Gaussians of each target's own (LiRA, Carlini et al. 2022).

    Attributes:
        usual: What shadow models give for each target.
    """

    usual: Sequence[Usual] = field(kw_only=True)

    def guess(self, target: int, access: Access) -> Answer:
        """Return the log likelihood ratio: above 0, the score is likelier with the target in training."""
        return Answer(self.usual[target].log_ratio(super().guess(target, access).score))


@dataclass(frozen=True)
class Population:
    """Word pairs of documents that are known to be out.

    Attributes:
        words: The words of the pairs.
        left: (pairs,) first word of each, as an index into the words.
        right: (pairs,) second word.
        expected: (pairs,) distance of each in shadow models.
    """

    words: tuple[str, ...]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    expected: NDArray[np.float64]

    @classmethod
    def measured(
        cls,
        words: tuple[str, ...],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        models: Sequence[NDArray[np.float32]],
        distance: Distance,
    ) -> "Population":
        """Return pairs with their mean distance in shadow models, whose vectors of all words are given."""
        apart = np.stack([_apart(vectors, left, right, distance) for vectors in models])
        expected = np.asarray(apart.mean(axis=0, dtype=np.float64))
        usable = np.isfinite(expected) & (expected > 0)
        kept, ends = np.unique(np.concatenate([left[usable], right[usable]]), return_inverse=True)
        first, second = np.split(ends, 2)
        return cls(tuple(words[word] for word in kept), first, second, expected[usable])

    def scale(self, access: WordVectors, distance: Distance) -> float:
        """Return the median of the pairs' distances in a model, each over that in shadow models; 1 without any."""
        ratio = _apart(access.query(self.words), self.left, self.right, distance) / self.expected
        ratio = ratio[np.isfinite(ratio)]
        return float(np.median(ratio)) if len(ratio) else 1.0


@dataclass(frozen=True, eq=False)
class Relative(LikelihoodRatio):
    """The same of distances that are divided by what documents known to be out show of the same model.

    A pair's distance over that in shadow models is compared with the same ratio of pairs of the adversary's own
    documents, as in RMIA (Zarifzadeh, Liu and Shokri 2024); the median of those stands for them all. So a model that
    draws all neighbours closer than the shadow models do accuses nobody for it.

    Attributes:
        population: Pairs of documents that are known to be out.
        scales: The scale of each model, filled when it is first asked.
    """

    population: Population = field(kw_only=True)
    scales: dict[Access, float] = field(default_factory=dict)

    def features(self, target: int, access: WordVectors) -> NDArray[np.float32]:
        """Query the words of the target's pairs, and once for each model those of the population."""
        if access not in self.scales:
            self.scales[access] = self.population.scale(access, self.distance)
        return np.asarray(super().features(target, access) / self.scales[access], dtype=np.float32)


def _apart(
    vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64], distance: Distance
) -> NDArray[np.float32]:
    apart = distances(vectors, left, right)
    return apart if distance == "l2" else scaled(apart, np.linalg.norm(vectors, axis=1), left, right)
