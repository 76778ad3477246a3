"""Top share: a target by its few documents that score highest, beside the score of all of them together."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.adversaries.text_scores import Parts, ScoreAdversary
from core.games.membership.contract import Answer


@dataclass(frozen=True, eq=False)
class TopShare(ScoreAdversary):
    """Calls a target a member if its highest scores are higher on average than those of 95% of sets, or of people.

    A model seldom remembers all that a person wrote. Where it remembers a few documents well, they stand out among the
    highest scores, and a mean over all documents hides them. A document scores by itself; at least one counts.

    Attributes:
        share: Share of the documents of a target, or of a set, that count.
    """

    share: float = field(kw_only=True)

    def answer(self, target: int, access: Access) -> Answer:
        """Return how far the mean of a target's highest scores exceeds what those of 5% of sets or people do."""
        inside, outside = self.parts(target, access)
        known = _by_document(outside)
        average = float(np.nanmean(known)) if np.isfinite(known).any() else 0.0
        size, usual = len(inside.above), self.cache[access][1]
        if size not in usual:
            filled = np.nan_to_num(known, nan=average)
            usual[size] = self.sets.usual_of(lambda rows: self._highest(filled[rows]), size)
        scores = np.nan_to_num(_by_document(inside), nan=average)
        return Answer(usual[size].beyond(float(self._highest(scores[None])[0])))

    def _highest(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of the highest scores of each set, (sets,), of (sets, documents)."""
        count = max(round(self.share * scores.shape[1]), 1)
        return np.asarray(np.sort(scores, axis=1)[:, -count:].mean(axis=1))


def _by_document(parts: Parts) -> NDArray[np.float64]:
    """Return the score of each document by itself, (documents,); NaN where it has no known word."""
    return np.where(parts.below != 0, parts.above / np.where(parts.below != 0, parts.below, 1.0), np.nan)
