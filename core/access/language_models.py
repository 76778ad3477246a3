"""Accesses to language models, from the likeliest next word to the whole network."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.text.read_once import ReadOnce

TOP = 20
"""Most likeliest words, or tokens, whose probabilities a service tells at each position, as the largest do."""


@dataclass(frozen=True)
class Sampling:
    """How continuations are drawn.

    Attributes:
        top_k: Number of likeliest words that each word is drawn among.
        temperature: Divides the log-probabilities before drawing; below 1 the likeliest win more often.
    """

    top_k: int
    temperature: float


@runtime_checkable
class GivesLosses(Protocol):
    """An access that tells the probability of each word, or token, of a given text."""

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the loss of each word of each document, in nats, (words,); NaN for words it does not know."""


class GivesTopLosses(Protocol):
    """A language model that gives the probabilities of its likeliest words, or tokens, at each position of a text."""

    def top_losses(self, documents: Sequence[Sequence[str]], top: int) -> list[NDArray[np.float64]]:
        """Return each word's loss as who sees only the likeliest knows it, (words,); NaN for unknown words."""


@runtime_checkable
class GivesStandings(GivesLosses, Protocol):
    """An access that gives the probability of every word, or token, at each position of a text."""

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return loss, and mean and deviation of the log-probability there, of each word, (words, 3) each."""


@runtime_checkable
class GivesGradients(GivesStandings, Protocol):
    """An access to the weights of a language model, with which gradients are computed."""

    def gradient_norms(self, documents: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the norm of the gradient of each document's mean loss, (documents,); NaN without known words."""


class SaysWords(Protocol):
    """A language model that goes on from the words it is given, with words."""

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words it may ever say, (words,)."""

    def likeliest(self, documents: Sequence[Sequence[str]], positions: Sequence[NDArray[np.int64]]) -> list[list[str]]:
        """Return the likeliest word at some positions of each document, from the words before each position."""

    def continued(self, prefixes: Sequence[Sequence[str]], words: int) -> list[list[str]]:
        """Return the likeliest next word again and again after each prefix, ``words`` of them."""

    def drawn(
        self, prefixes: Sequence[Sequence[str]], words: int, sampling: Sampling, rng: np.random.Generator
    ) -> list[list[str]]:
        """Return one drawn continuation of each prefix, ``words`` long."""

    def log_rates(
        self, prefixes: Sequence[Sequence[str]], following: Sequence[Sequence[str]], sampling: Sampling
    ) -> NDArray[np.float64]:
        """Return the log-probability of drawing exactly the following words, in nats, (prefixes,)."""


class NextWords(Access):
    """A language model that predicts the likeliest next word only (Mahloujifar et al. 2021, section 5)."""

    title = "the likeliest next word"
    queried = "Contexts"

    def __init__(self, model: SaysWords) -> None:
        super().__init__()
        self._model = model

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words it may ever predict, (words,), as a keyboard shows by marking the others. No query."""
        return self._model.knows(words)

    def query(self, documents: Sequence[Sequence[str]], positions: Sequence[NDArray[np.int64]]) -> list[list[str]]:
        """Return the predicted words at some positions of each document, from the words before each position.

        One query a position, although the model reads each document only once. Position 0 is the first word.
        """
        self.queries += sum(map(len, positions))
        return self._model.likeliest(documents, positions)


class Continuations(NextWords):
    """A language model that continues a prefix, and tells no probability (Carlini et al. 2023, section 3).

    It is weaker than the probabilities of texts, from which enough queries can build continuations.
    """

    title = "the continuation of any text"
    queried = "Continuations"

    def continued(self, prefixes: Sequence[Sequence[str]], words: int) -> list[list[str]]:
        """Return the likeliest next word again and again after each prefix, ``words`` of them. One query a prefix."""
        self.queries += len(prefixes)
        return self._model.continued(prefixes, words)

    def drawn(
        self, prefixes: Sequence[Sequence[str]], words: int, sampling: Sampling, rng: np.random.Generator
    ) -> list[list[str]]:
        """Return one drawn continuation of each prefix. One query a prefix."""
        self.queries += len(prefixes)
        return self._model.drawn(prefixes, words, sampling, rng)


class ContinuationRates(Continuations):
    """Continuations for the scorer: how often a continuation would be drawn is computed, not counted."""

    def for_adversary(self) -> Continuations:
        """Return the same model as an adversary may query it."""
        return Continuations(self._model)

    def log_rates(
        self, prefixes: Sequence[Sequence[str]], following: Sequence[Sequence[str]], sampling: Sampling
    ) -> NDArray[np.float64]:
        """Return the log of the share of draws that give exactly the following words, in nats, (prefixes,).

        No query: it is what the share among ever more draws would become.
        """
        return self._model.log_rates(prefixes, following, sampling)


class TopProbabilities(Access):
    """A language model that tells the probabilities of its likeliest next words only, as services do.

    Of another word its caller knows no more than that it is no likelier than the last of these.
    """

    title = f"the probabilities of the {TOP} likeliest next words, or tokens"
    queried = "Texts"

    def __init__(self, model: GivesTopLosses) -> None:
        super().__init__()
        self._losses = ReadOnce[Sequence[str], NDArray[np.float64]](
            lambda texts: model.top_losses(texts, TOP), " ".join
        )

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the negative log-probability of each word from those before it, in nats, (words,) each.

        Of a word that is not among the likeliest, it is that of the last of them; it is NaN where the model does not
        know the word. One query a document; all are read in shared batches, and a text only once.
        """
        self.queries += len(documents)
        return self._losses(documents)


class TextProbabilities(Access):
    """A language model that tells the probability of each word of a given text (Carlini et al. 2021, section 5)."""

    title = "the probability of any given text"
    queried = "Texts"

    def __init__(self, model: GivesStandings) -> None:
        super().__init__()
        self._model = model

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the negative log-probability of each word from those before it, in nats, (words,) each.

        It is NaN where the model does not know the word. One query a document; all are read in shared batches.
        """
        self.queries += len(documents)
        return self._model.losses(documents)


class WordProbabilities(TextProbabilities):
    """A language model that gives the probability of every word at each position of a text (Zhang et al. 2024)."""

    title = "the probability of every next word"

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return how each word stands among all words that the model might have put there, (words, 3) each.

        The columns are the word's loss, in nats, and the mean and the standard deviation of the log-probability of all
        words at its position, weighted by their probability; NaN for a word that the model does not know. One query a
        document.
        """
        self.queries += len(documents)
        return self._model.standings(documents)


class WholeNetwork(WordProbabilities):
    """A language model whose weights the adversary has (Nasr, Shokri and Houmansadr 2019, white-box setting)."""

    title = "the whole network"

    def __init__(self, model: GivesGradients) -> None:
        super().__init__(model)
        self._norms = ReadOnce[Sequence[str], float](lambda texts: model.gradient_norms(texts).tolist(), " ".join)

    def gradient_norms(self, documents: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the norm of the gradient of each document's mean loss by all trained weights, (documents,).

        It is NaN where the model knows no word of a document. One query a document; a text is read only once.
        """
        self.queries += len(documents)
        return np.array(self._norms(documents), np.float64)


TO_LANGUAGE_MODELS: frozenset[type[Access]] = frozenset(
    {NextWords, Continuations, TopProbabilities, TextProbabilities, WordProbabilities, WholeNetwork}
)
"""Every access that an adversary has to a language model."""
