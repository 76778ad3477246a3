"""Word-level language models as accesses: probabilities and generated words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.access.language_models import GivesGradients, GivesTopLosses, Sampling, SaysWords
from core.text.vocabulary import UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from core.networks.language.next_word_predictor import NextWordPredictor


@dataclass(frozen=True)
class ByWord(GivesGradients, GivesTopLosses, SaysWords):
    """Access to a word-level language model: its probabilities, and the words it generates.

    Attributes:
        vocabulary: Its words.
        predictor: Predicts their tokens.
    """

    vocabulary: Vocabulary
    predictor: "NextWordPredictor"

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the loss of each word of each document, in nats, (words,); NaN for words outside the vocabulary."""
        return self.predictor.losses(self._tokens(documents))

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return loss, and mean and deviation of the log-probability there, of each word, (words, 3) each."""
        return self.predictor.standings(self._tokens(documents))

    def top_losses(self, documents: Sequence[Sequence[str]], top: int) -> list[NDArray[np.float64]]:
        """Return each word's loss as who sees only the likeliest knows it, (words,); NaN for unknown words."""
        return self.predictor.top_losses(self._tokens(documents), top)

    def gradient_norms(self, documents: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the norm of the gradient of each document's mean loss, (documents,); NaN without known words."""
        return self.predictor.gradient_norms(self._tokens(documents))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words are in the vocabulary, (words,)."""
        return np.asarray(self.vocabulary.tokens(words) != UNKNOWN)

    def likeliest(self, documents: Sequence[Sequence[str]], positions: Sequence[NDArray[np.int64]]) -> list[list[str]]:
        """Return the likeliest word at some positions of each document, from the words before each position."""
        return [self._spelt(row) for row in self.predictor.likeliest(self._tokens(documents), positions)]

    def continued(self, prefixes: Sequence[Sequence[str]], words: int) -> list[list[str]]:
        """Return the likeliest next word again and again after each prefix, ``words`` of them."""
        return [self._spelt(row) for row in self.predictor.continued(self._tokens(prefixes), words)]

    def drawn(
        self, prefixes: Sequence[Sequence[str]], words: int, sampling: Sampling, rng: np.random.Generator
    ) -> list[list[str]]:
        """Return one drawn continuation of each prefix, ``words`` long."""
        tokens = self.predictor.drawn(self._tokens(prefixes), words, sampling.top_k, sampling.temperature, rng)
        return [self._spelt(row) for row in tokens]

    def log_rates(
        self, prefixes: Sequence[Sequence[str]], following: Sequence[Sequence[str]], sampling: Sampling
    ) -> NDArray[np.float64]:
        """Return the log-probability of drawing exactly the following words, in nats, (prefixes,)."""
        prefix, continuation = self._tokens(prefixes), self._tokens(following)
        return self.predictor.log_rates(prefix, continuation, sampling.top_k, sampling.temperature)

    def _tokens(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
        return [self.vocabulary.tokens(text) for text in texts]

    def _spelt(self, tokens: NDArray[np.int64]) -> list[str]:
        return [self.vocabulary.word(token) for token in tokens.tolist()]
