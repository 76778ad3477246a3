"""How likely texts are to any language model: what an adversary can tell of that without asking one."""

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.access.language_models import GivesLosses
from core.adversaries.own_sets import Text
from core.adversaries.text_scores import Parts, Score
from core.text.corpus import words_of


def difficulties(texts: Sequence[str], auxiliary: Sequence[str]) -> NDArray[np.float64]:
    """Return what is known of texts without a model, (texts, 5): the columns are those of a linear regression.

    They are 1; the log of the number of characters; and, a character, the bytes of the compressed text, the words, and
    the log-probability of these by their frequencies in the adversary's own texts.
    """
    counts = Counter(word for text in auxiliary for word in words_of(text))
    total = sum(counts.values()) + len(counts) + 1
    rows = []
    for text in texts:
        words, characters = words_of(text), max(len(text), 1)
        likely = sum(np.log((counts[word] + 1) / total) for word in words)
        compressed = len(zlib.compress(text.encode()))
        rows.append([1.0, np.log(characters), *(value / characters for value in (compressed, len(words), likely))])
    return np.array(rows)


def unexplained(values: NDArray[np.float64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is left of values, (texts,), after their linear regression on columns, (texts, columns)."""
    spread = columns.std(axis=0)
    scaled = np.where(spread > 0, (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0), 1.0)
    weights, *_ = np.linalg.lstsq(scaled, values, rcond=1e-6)
    return np.asarray(values - scaled @ weights)


@dataclass(frozen=True, eq=False)
class Unexplained:
    """Scores documents by what their difficulty does not explain of another score (Watson et al. 2022).

    Attributes:
        known: (documents, columns) what is known of them without the model.
        score: The other score.
    """

    known: NDArray[np.float64]
    score: Score

    def __call__(self, access: GivesLosses, text: Text) -> Parts:
        """Return the score of documents of one text each, with the weight that the other score gives it."""
        losses = access.losses(text)
        density = [np.isfinite(nats).sum() / max(len(words[0]), 1) for nats, words in zip(losses, text, strict=True)]
        parts = self.score(_Read(losses), text)
        read = parts.below > 0
        left = np.zeros(len(read))
        columns = np.column_stack([self.known, density])
        left[read] = unexplained(parts.above[read] / parts.below[read], columns[read])
        return Parts(left * parts.below, parts.below)


@dataclass(frozen=True, eq=False)
class _Read:
    """Losses that were asked for already."""

    read: list[NDArray[np.float64]]

    def losses(self, documents: Text) -> list[NDArray[np.float64]]:
        """Return them."""
        return self.read
