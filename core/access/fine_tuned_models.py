"""The probabilities of words by language models that are fine-tuned from a pretrained one, which reads tokens."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.access.language_models import GivesGradients, GivesTopLosses, Sampling, SaysWords
from core.encoders.causal import Tokens
from core.networks.language import gradient_norms, word_continuations
from core.networks.language.shared_network import SharedNetwork
from core.networks.states import Arrays
from core.text.read_once import ReadOnce

Words = Sequence[Sequence[str]]
"""The words of each of several documents."""


class FineTunedModel(GivesGradients, GivesTopLosses, SaysWords):
    """The probabilities of words by a model that reads tokens, and the words that it says.

    It says a word token by token, each of them the likeliest or drawn; a word ends where the next begins.

    The loss of a word is the sum over its tokens, by the chain rule. So are mean and variance of the log-probability,
    as if tokens were independent. Words that are cut off have NaN.
    """

    def __init__(self, network: SharedNetwork, state: Arrays, *, whole: bool = False) -> None:
        """Keep the weights of a model.

        Args:
            network: What they are weights of.
            state: The weights.
            whole: Whether who asks for losses asks for standings, too: then a text is read once for both.
        """
        self._network = network
        self._state = state
        self._whole = whole
        self._losses = ReadOnce(self._read_losses, " ".join)
        self._standings = ReadOnce(self._read_standings, " ".join)

    def losses(self, documents: Words) -> list[NDArray[np.float64]]:
        """Return the loss of each word of each document, in nats, (words,); a text is read once."""
        return self._losses(documents)

    def standings(self, documents: Words) -> list[NDArray[np.float64]]:
        """Return loss, and mean and deviation of the log-probability there, of each word, (words, 3) each."""
        return self._standings(documents)

    def top_losses(self, documents: Words, top: int) -> list[NDArray[np.float64]]:
        """Return the loss of each word, (words,), its tokens' as who sees only the likeliest tokens knows them."""
        network, cut = self._network.holding(self._state), self._network.cut(documents)
        return _of_words(network.top_losses([tokens for tokens, _ in cut], top), cut, documents)

    def gradient_norms(self, documents: Words) -> NDArray[np.float64]:
        """Return the norm of the gradient of each document's mean loss by the trained weights, (documents,).

        It is NaN for a document without a token.
        """
        network, cut = self._network.holding(self._state), self._network.cut(documents)
        trained = {name.removeprefix("weight.") for name in self._state}
        return gradient_norms.of_documents(network, [tokens for tokens, _ in cut], trained)

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return that it may say any word, which its tokens spell."""
        return np.full(len(words), True)

    def likeliest(self, documents: Words, positions: Sequence[NDArray[np.int64]]) -> list[list[str]]:
        """Return the word of the likeliest tokens at some positions of each document, from the words before each."""
        return word_continuations.likeliest(self._network.holding(self._state), documents, positions)

    def continued(self, prefixes: Words, words: int) -> list[list[str]]:
        """Return the likeliest token again and again after each prefix, as ``words`` words."""
        return word_continuations.greedy(self._network.holding(self._state), prefixes, words)

    def drawn(self, prefixes: Words, words: int, sampling: Sampling, rng: np.random.Generator) -> list[list[str]]:
        """Return one drawn continuation of each prefix, ``words`` long; each token is drawn among the likeliest."""
        network = self._network.holding(self._state)
        return word_continuations.drawn(network, prefixes, words, sampling.top_k, sampling.temperature, rng)

    def log_rates(self, prefixes: Words, following: Words, sampling: Sampling) -> NDArray[np.float64]:
        """Return the log-probability of drawing the tokens of exactly the following words, in nats, (prefixes,)."""
        network = self._network.holding(self._state)
        return word_continuations.log_rates(network, prefixes, following, sampling.top_k, sampling.temperature)

    def perplexity(self, documents: Words) -> float:
        """Return the perplexity of a token; NaN without any."""
        network = self._network.holding(self._state)
        losses = np.concatenate([np.empty(0), *network.losses([tokens for tokens, _ in self._network.cut(documents)])])
        return math.exp(losses.mean()) if len(losses) else float("nan")

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return self._network.vocabulary

    def _read_losses(self, documents: Words) -> list[NDArray[np.float64]]:
        if self._whole:
            return [standing[:, 0].copy() for standing in self.standings(documents)]
        network, cut = self._network.holding(self._state), self._network.cut(documents)
        return _of_words(network.losses([tokens for tokens, _ in cut]), cut, documents)

    def _read_standings(self, documents: Words) -> list[NDArray[np.float64]]:
        network, cut = self._network.holding(self._state), self._network.cut(documents)
        read = []
        for row, (_, numbers), words in zip(
            network.standings([tokens for tokens, _ in cut]), cut, documents, strict=True
        ):
            summed = _by_word(row ** [1, 1, 2], numbers, len(words))
            read.append(summed ** [1, 1, 0.5])
        return read


def _of_words(
    losses: Sequence[NDArray[np.float64]], cut: Sequence[tuple[Tokens, NDArray[np.int64]]], documents: Words
) -> list[NDArray[np.float64]]:
    """Return the loss of each word of each document from those of its tokens, (words,)."""
    return [
        _by_word(row[:, None], numbers, len(words))[:, 0]
        for row, (_, numbers), words in zip(losses, cut, documents, strict=True)
    ]


def _by_word(values: NDArray[np.float64], numbers: NDArray[np.int64], words: int) -> NDArray[np.float64]:
    """Return the sum over the tokens of each word, (words, columns); NaN for a word without any.

    Args:
        values: (tokens, columns).
        numbers: (tokens,) the word of each.
        words: How many there are.
    """
    summed = np.zeros((words, values.shape[1]))
    np.add.at(summed, numbers, values)
    summed[np.bincount(numbers, minlength=words) == 0] = np.nan
    return summed
