"""Shadow models behind the trainer's defenses and ones without them, and the choice between both by left-out ones."""

from dataclasses import dataclass

import numpy as np

from core.adversaries.shadows.shadow_language_models import LossRule, Measured

_FEWEST = 2
"""Fewest pairs of shadow models of which one can be left out."""


@dataclass(frozen=True)
class Prepared:
    """What an adversary has measured in its shadow models.

    Attributes:
        behind: In those that are trained as it takes the target models to be: behind the defenses, if it knows them.
        without: In as many on the same documents without the defenses, where it chooses between both; else None.
    """

    behind: Measured
    without: Measured | None = None

    def first(self, pairs: int) -> "Prepared":
        """Return what the first pairs of shadow models give."""
        return Prepared(self.behind.first(pairs), None if self.without is None else self.without.first(pairs))

    def better(self, rule: LossRule) -> Measured:
        """Return the shadow models by which a rule is right more often; of equals, those behind the defenses.

        A single pair of them leaves no choice, as none can be left out.
        """
        if self.without is None or len(self.behind.parts) < 2 * _FEWEST:
            return self.behind
        return max(self.behind, self.without, key=lambda kind: self.right_about_left_out(rule, kind))

    def right_about_left_out(self, rule: LossRule, kind: Measured) -> float:
        """Return how often a rule is right about shadow models behind the defenses, by the others of one kind.

        One pair after the other is left out of the kind, and the rule is asked which targets the same pair behind the
        defenses was trained on. Target models have no part in it.
        """
        right = [
            (rule(kind.without(item // 2), parts) > 0) == member
            for item, (parts, member) in enumerate(zip(self.behind.parts, self.behind.member, strict=True))
        ]
        return float(np.mean(right))
