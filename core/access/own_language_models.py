"""Access to a causal language model that a user holds: the probability of texts, or of every next token."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.encoders.causal import CausalNetwork, Tokens


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
        self._losses: dict[str, NDArray[np.float64]] = {}
        self._standings: dict[str, NDArray[np.float64]] = {}

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the negative log-probability of each token from those before it, in nats, (tokens,) each.

        One query a document; all are read in shared batches, and a text that was read before is not read again.
        """
        return self._remembered(self._losses, documents, self._network.losses)

    def cut(self, documents: Sequence[Sequence[str]]) -> int:
        """Return how many documents are longer than what is read of them. The auditor's count, which is no query."""
        return sum(was_cut for _, was_cut in self._network.tokens(_texts(documents), self._most))

    def _remembered(
        self,
        known: dict[str, NDArray[np.float64]],
        documents: Sequence[Sequence[str]],
        read: Callable[[Sequence[Tokens]], list[NDArray[np.float64]]],
    ) -> list[NDArray[np.float64]]:
        texts = _texts(documents)
        self.queries += len(texts)
        new = list(dict.fromkeys(text for text in texts if text not in known))
        tokens = [kept for kept, _ in self._network.tokens(new, self._most)]
        known.update(zip(new, read(tokens), strict=True))
        return [known[text] for text in texts]


class OwnTokenProbabilities(OwnTextProbabilities):
    """A causal language model that gives the probability of every token at each position of a text."""

    title = "the probability of every next token, of your own model"

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return how each token stands among all that the model might have put there, (tokens, 3) each.

        The columns are the token's loss, in nats, and the mean and the standard deviation of the log-probability of
        all tokens at its position, weighted by their probability. One query a document.
        """
        return self._remembered(self._standings, documents, self._network.standings)


def _texts(documents: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(document) for document in documents]
