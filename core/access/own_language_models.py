"""Access to a causal language model that a user holds: the probability of texts, or of every next token."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.encoders.causal import CausalNetwork, Tokens
from core.text.read_once import ReadOnce


class OwnTextProbabilities(Access):
    """A causal language model that tells the probability of each token of a given text (Carlini et al. 2021).

    Documents are texts as they are: a document is given as a sequence of one text, or of parts with a space between.
    """

    title = "the probability of any text, of your own model"
    queried = "Texts"

    def __init__(self, network: CausalNetwork, tokens: int) -> None:
        """Keep a network, and the most tokens of a text that it reads."""
        super().__init__()
        self._network = network
        self._most = tokens
        self._losses = ReadOnce(self._read_losses, str)
        self._standings = ReadOnce(self._read_standings, str)

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the negative log-probability of each token from those before it, in nats, (tokens,) each.

        One query a document; all are read in shared batches, and a text that was read before is not read again.
        """
        return self._losses(self._queried(documents))

    def cut(self, documents: Sequence[Sequence[str]]) -> int:
        """Return how many documents are longer than what is read of them. The auditor's count, which is no query."""
        return sum(was_cut for _, was_cut in self._network.tokens(_texts(documents), self._most))

    def _queried(self, documents: Sequence[Sequence[str]]) -> list[str]:
        self.queries += len(documents)
        return _texts(documents)

    def _read_losses(self, texts: Sequence[str]) -> list[NDArray[np.float64]]:
        return self._network.losses(self._tokens(texts))

    def _read_standings(self, texts: Sequence[str]) -> list[NDArray[np.float64]]:
        return self._network.standings(self._tokens(texts))

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return [kept for kept, _ in self._network.tokens(texts, self._most)]


class OwnTokenProbabilities(OwnTextProbabilities):
    """A causal language model that gives the probability of every token at each position of a text."""

    title = "the probability of every next token, of your own model"

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return how each token stands among all that the model might have put there, (tokens, 3) each.

        The columns are the token's loss, in nats, and the mean and the standard deviation of the log-probability of
        all tokens at its position, weighted by their probability. One query a document.
        """
        return self._standings(self._queried(documents))

    def _read_losses(self, texts: Sequence[str]) -> list[NDArray[np.float64]]:
        """Return losses computed from the same query as standings."""
        return [standing[:, 0].copy() for standing in self._standings(texts)]


def _texts(documents: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(document) for document in documents]
