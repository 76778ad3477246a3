"""Words read from vectors by ridge regression on leaked pairs, without an encoder."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adversaries.leaked_pairs import Ridge, cross_fitted
from core.keys import key_of
from core.runtime.context import Arrays, RunContext, content_key
from core.text.word_sets import best_threshold

_SURE = 1e-4
"""No word is held more certain, or more impossible, than by this probability."""


@dataclass(frozen=True)
class PairWords:
    """A linear map from vectors to the probability of each word, clipped.

    Attributes:
        center: (inputs,) mean of the vectors.
        weights: (inputs, words).
        frequency: (words,) share of the adversary's texts that have each word, which the mean vector predicts; so a
            word that no leaked text has is not ruled out.
        crossed: (pairs, words) probabilities for each pair by a map that it did not teach.
    """

    center: NDArray[np.float32]
    weights: NDArray[np.float32]
    frequency: NDArray[np.float32]
    crossed: NDArray[np.float32]

    @classmethod
    def learn(
        cls,
        vectors: NDArray[np.float32],
        present: NDArray[np.float32],
        sizes: NDArray[np.int64],
        frequency: NDArray[np.float32],
        folds: NDArray[np.int64],
        context: RunContext,
    ) -> "PairWords":
        """Fit by ridge regression, its strength by the best F1 on pairs left out; kept from the first time on.

        Args:
            vectors: (pairs, inputs).
            present: (pairs, words) of 0 and 1, which words stand in each text.
            sizes: (pairs,) number of different words of each text.
            frequency: (words,) share of all texts at hand that have each.
            folds: (pairs,) number of the fold of each.
            context: Where it is fitted and kept.
        """
        contents = content_key(vectors, present, sizes, frequency, folds)
        shared = {"vectors": vectors, "present": present, "sizes": sizes, "frequency": frequency, "folds": folds}
        key = key_of({"words from leaked pairs": 1, "contents": contents})
        ((_, arrays),) = context.train("Learning words from the leaked pairs", key, _fitted, [0], shared)
        return cls(**arrays)

    def probabilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each word, (rows, words)."""
        return clipped((vectors - self.center) @ self.weights + self.frequency)


def _fitted(
    item: int,
    vectors: NDArray[np.float32],
    present: NDArray[np.float32],
    sizes: NDArray[np.int64],
    frequency: NDArray[np.float32],
    folds: NDArray[np.int64],
) -> Arrays:
    def loss(predicted: NDArray[np.float32]) -> float:
        return -best_threshold(clipped(predicted), present > 0, sizes)[1]

    strength, crossed = cross_fitted(vectors, present, folds, frequency, loss)
    center, weights, _ = Ridge(vectors, present, frequency).solved(strength)
    return {"center": center, "weights": weights, "frequency": frequency, "crossed": clipped(crossed)}


def clipped(shares: NDArray[Any]) -> NDArray[np.float32]:
    """Clip probabilities away from 0 and 1, so that none outweighs all others."""
    return np.asarray(np.clip(shares, _SURE, 1 - _SURE), np.float32)
