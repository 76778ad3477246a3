"""Decisions by what shadow models give, whatever is measured of them."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.membership.contract import Answer, PreparedAdversary
from core.statistics.likelihood_ratio import Rule, ShadowStatistics


class Compares(Protocol):
    """Measures the targets with the model under attack as with shadow models."""

    def observed(self, access: Access) -> NDArray[np.float64]:
        """Return the statistic of each target in the model, (targets,)."""
        ...

    def shadows(self, access: Access) -> ShadowStatistics:
        """Return the same statistic in the shadow models, read as the model is."""
        ...


@dataclass(frozen=True, eq=False)
class ShadowRuleAdversary(PreparedAdversary):
    """Decides by a rule of `core.statistics.likelihood_ratio`.

    Attributes:
        rule: The rule.
        measured: What it compares.
        scores: The scores of all targets, for each access; filled on first use.
    """

    rule: Rule = field(kw_only=True)
    measured: Compares = field(kw_only=True)
    scores: dict[Access, NDArray[np.float64]] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Apply the rule to the statistics of all targets."""
        if access not in self.scores:
            self.scores[access] = self.rule(self.measured.observed(access), self.measured.shadows(access))
        return Answer(float(self.scores[access][target]))
