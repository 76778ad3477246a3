"""Quantile regression: a reference's probability, compared with that of similar pairs outside training."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.adversaries.own_sets import LEVEL
from core.games.translation_membership.contract import Method
from core.text.bitext import Bitext
from core.text.corpus import words_of

QUANTILE = Method("quantile_reference", "quantile_regression", "threshold")


@dataclass(frozen=True)
class Difficulty:
    """Describes pairs by what makes a reference likely to any translator, from the adversary's own pairs.

    Attributes:
        sources: How often each word stands in the sources.
        targets: The same of the translations.
    """

    sources: Mapping[str, int]
    targets: Mapping[str, int]

    @classmethod
    def of(cls, bitext: Bitext) -> "Difficulty":
        """Count the words of pairs."""
        sources, targets = (
            Counter(chain.from_iterable(map(words_of, texts))) for texts in (bitext.sources, bitext.targets)
        )
        return cls(sources, targets)

    def describe(self, pairs: Bitext) -> NDArray[np.float64]:
        """Return lengths, rarity of words and share of unknown words of both sides, (pairs, 8)."""
        sides = ((pairs.sources, self.sources), (pairs.targets, self.targets))
        return np.concatenate([_described(texts, counts) for texts, counts in sides], axis=1)


def beyond_usual(
    outside: NDArray[np.float64],
    unseen: NDArray[np.float64],
    asked: NDArray[np.float64],
    reference: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return by how much references exceed the 95% quantile of unseen pairs like them (Bertran et al. 2023), (pairs,).

    The quantile is a linear function of the description, fitted by the pinball loss on pairs that are known to be out,
    from one translator's answers: no shadow model is needed.

    Args:
        outside: Log-probabilities of the references of the pairs known to be out.
        unseen: (outside, features) their description.
        asked: (pairs, features) that of the pairs in question.
        reference: Log-probabilities of their references.
    """
    from sklearn.linear_model import QuantileRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    line = make_pipeline(StandardScaler(), QuantileRegressor(quantile=1 - LEVEL, alpha=1e-3))
    return np.asarray(reference - line.fit(unseen, outside).predict(asked))


def _described(texts: Sequence[str], counts: Mapping[str, int]) -> NDArray[np.float64]:
    """Return length, mean and largest rarity of the words, and the share of unknown ones, (texts, 4)."""
    total = sum(counts.values()) + 1
    rows = []
    for text in texts:
        words = words_of(text) or [""]
        rarity = np.log(total / (np.array([counts.get(word, 0) for word in words]) + 1))
        rows.append((np.log(len(words)), rarity.mean(), rarity.max(), np.mean([word not in counts for word in words])))
    return np.array(rows, np.float64).reshape(-1, 4)
