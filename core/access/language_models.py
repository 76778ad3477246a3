"""Accesses to language models, from the likeliest next word to the probability of every word."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.text.vocabulary import UNKNOWN, Vocabulary


class Predictor(Protocol):
    """A language model that predicts the tokens of documents."""

    def likeliest(
        self, documents: Sequence[NDArray[np.int64]], positions: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.int64]]:
        """Return the likeliest token at some positions of each document, from the tokens before each position."""

    def losses(self, documents: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float64]]:
        """Return the loss of each token of each document, in nats, (tokens,); NaN for unknown words."""

    def standings(self, documents: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float64]]:
        """Return loss, and mean and deviation of the log-probability there, of each token, (tokens, 3)."""


class NextWords(Access):
    """A language model that predicts the likeliest next word only (Mahloujifar et al. 2021, section 5)."""

    title = "the likeliest next word"
    queried = "Contexts"

    def __init__(self, vocabulary: Vocabulary, predictor: Predictor) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._predictor = predictor

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words it may ever predict, (words,), as a keyboard shows by marking the others. No query."""
        return np.asarray(self._vocabulary.tokens(words) != UNKNOWN)

    def query(self, documents: Sequence[Sequence[str]], positions: Sequence[NDArray[np.int64]]) -> list[list[str]]:
        """Return the predicted words at some positions of each document, from the words before each position.

        One query a position, although the model reads each document only once. Position 0 is the first word.
        """
        self.queries += sum(map(len, positions))
        tokens = self._predictor.likeliest([self._vocabulary.tokens(document) for document in documents], positions)
        return [[self._vocabulary.word(token) for token in predicted.tolist()] for predicted in tokens]


class TextProbabilities(NextWords):
    """A language model that tells the probability of each word of a given text (Carlini et al. 2021, section 5)."""

    title = "the probability of any given text"
    queried = "Texts"

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the negative log-probability of each word from those before it, in nats, (words,) each.

        It is NaN where the model does not know the word. One query a document; all are read in shared batches.
        """
        self.queries += len(documents)
        return self._predictor.losses([self._vocabulary.tokens(document) for document in documents])


class WordProbabilities(TextProbabilities):
    """A language model that tells the probability of every word at each place of a text (Zhang et al. 2024)."""

    title = "the probability of every next word"

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return how each word stands among all words that the model might have put there, (words, 3) each.

        The columns are the word's loss, in nats, and the mean and the standard deviation of the log-probability of all
        words at its place, weighted by their probability; NaN for a word that the model does not know. One query a
        document.
        """
        self.queries += len(documents)
        return self._predictor.standings([self._vocabulary.tokens(document) for document in documents])
