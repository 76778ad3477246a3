"""Dataset inference: a p-value for a person's documents, beside those of people who are known to be out."""

from dataclasses import dataclass

import numpy as np

from core.access import Access
from core.adversaries.own_sets import LEVEL
from core.adversaries.text_scores import ScoreAdversary
from core.errors import Incompatible
from core.games.membership.contract import Answer

_FEWEST = 3
_LEAST = 1e-300
"""Smallest p-value that is told from zero."""


@dataclass(frozen=True, eq=False)
class PValue(ScoreAdversary):
    """Calls a target a member if a one-sided test rejects that it is out, at a level of 5%.

    The target's score is compared with those of sets that share no document and are known to be out, of one owner each
    where owners are known, by Student's test of one value against a sample. The score is log10 of the level less log10
    of the p-value. Maini et al. (2024) test documents against unseen ones of the same source; people differ from each
    other, so that a test over documents calls too many people members. Here the unit is the person,
    as of `core.adversaries.own_sets.of_one_more`: by that threshold a score decides much alike, without p-value.
    """

    def answer(self, target: int, access: Access) -> Answer:
        """Test a target.

        Raises:
            Incompatible: Fewer than three sets are known to be out.
        """
        from scipy.stats import ttest_ind

        inside, outside = self.parts(target, access)
        sets = [outside.of(rows).quotient for rows in self.sets.disjoint(len(inside.above))]
        known = [score for score in sets if np.isfinite(score)]
        if len(known) < _FEWEST:
            raise Incompatible(
                f"A p-value needs at least {_FEWEST} sets of {len(inside.above)} documents that are known to be out. "
                f"There are {len(known)}: set more documents aside ('aside'), or take smaller targets."
            )
        score = inside.quotient if np.isfinite(inside.quotient) else float(np.mean(known))
        p_value = float(ttest_ind([score], known, alternative="greater").pvalue) if np.ptp(known) else 1.0
        return Answer(float(np.log10(LEVEL) - np.log10(max(p_value, _LEAST))))
