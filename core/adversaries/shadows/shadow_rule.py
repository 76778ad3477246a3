"""Decisions by what shadow models give, whatever is measured of them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.membership.contract import Answer, PreparedAdversary


@dataclass(frozen=True, eq=False)
class ShadowRuleAdversary(PreparedAdversary):
    """Scores all targets of a model at once.

    Attributes:
        scored: Scores the targets, (targets,), above 0 for those taken for members.
        scores: The scores for each access; filled on first use.
    """

    scored: Callable[[Access], NDArray[np.float64]] = field(kw_only=True)
    scores: dict[Access, NDArray[np.float64]] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Return the score of a target."""
        if access not in self.scores:
            self.scores[access] = self.scored(access)
        return Answer(float(self.scores[access][target]))
