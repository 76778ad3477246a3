"""A word-pair adversary whose scores are calibrated for each target, so that all targets can share one threshold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from core.access import Access
from core.adversaries.pairs.adversaries import PairAdversary
from core.adversaries.pairs.plan import Distance
from core.adversaries.pairs.student import Student
from core.games.membership.contract import Answer


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
        """Measure a target in the shadow models that were left out."""
        score, member = student.left_out(target, pairs, distance)
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
class PairLikelihoodRatio(PairAdversary):
    """The log likelihood ratio of the linear function, by Gaussians of each target's own (LiRA, Carlini et al. 2022).

    Attributes:
        usual: What shadow models give for each target.
    """

    usual: Sequence[Usual] = field(kw_only=True)

    @classmethod
    def of(
        cls, student: Student, pairs: int, distance: Distance, variant: str, asked: Sequence[int] = (), **others: Any
    ) -> Self:
        """Return the adversary that the first ``pairs`` shadow pairs give.

        Args:
            student: Fits the functions.
            pairs: Number of shadow pairs.
            distance: How distances are measured.
            variant: Name of the adversary.
            asked: Numbers of what it can be asked about; the targets in question by default.
            others: Further fields.
        """
        fitted = [(target, pairs, distance) for target in asked or student.targets]
        functions, usual = [student.function(*each) for each in fitted], [Usual.of(student, *each) for each in fitted]
        return cls(student.plan, functions, variant, pairs, distance=distance, usual=usual, **others)

    def answer(self, target: int, access: Access) -> Answer:
        """Return the log likelihood ratio: above 0, the score is likelier with the target in training."""
        return Answer(self.usual[target].log_ratio(super().answer(target, access).score))
