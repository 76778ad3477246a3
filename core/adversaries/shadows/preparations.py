"""Shadow models behind the trainer's defenses and ones without them, and the choice between both by left-out ones.

Word pairs take the mean of both kinds instead, see `core.adversaries.pairs.preparations`.
"""

from dataclasses import dataclass

import numpy as np

from core.adversaries.shadows.shadow_language_models import LossRule, Measured
from core.statistics.likelihood_ratio import FEWEST_COUPLES


@dataclass(frozen=True)
class Prepared:
    """What an adversary has measured in its shadow models.

    Attributes:
        behind: In those that are trained as it takes the target models to be: behind the defenses, if it knows them.
        without: In as many with the same targets without the defenses, where it chooses between both; else None.
    """

    behind: Measured
    without: Measured | None = None

    def first(self, pairs: int) -> "Prepared":
        """Return what the first pairs of shadow models give."""
        return Prepared(self.behind.first(pairs), None if self.without is None else self.without.first(pairs))

    def better(self, rule: LossRule) -> Measured:
        """Return the shadow models by which a rule tells more of left-out ones; of equals, those behind the defenses.

        Fewer than three pairs leave no choice, as one pair alone shows no variance.
        """
        if self.without is None or self.behind.pairs < FEWEST_COUPLES:
            return self.behind
        return max(self.behind, self.without, key=lambda kind: self.told(rule, kind))

    def told(self, rule: LossRule, kind: Measured) -> float:
        """Return how much a rule tells of shadow models behind the defenses by the others of one kind, from 0 to 1.

        One pair after the other is left out of the kind, and the rule is asked which targets the same pair behind the
        defenses was trained on. It is how often the rule is right, or of three pairs, of which two set no threshold,
        the mean over models of the area under the ROC curve. Target models have no part in it.
        """
        from sklearn.metrics import roc_auc_score

        others = [kind.leaving_out(pair) for pair in range(kind.pairs)]
        scored = [rule(others[item // 2], parts) for item, parts in enumerate(self.behind.parts)]
        if self.behind.pairs > FEWEST_COUPLES:
            return float(np.mean((np.array(scored) > 0) == self.behind.member))
        split = [each for each in zip(self.behind.member, scored, strict=True) if each[0].any() and not each[0].all()]
        return float(np.mean([roc_auc_score(member, scores) for member, scores in split])) if split else 0.5
