"""A network in memory that stands for several language models fine-tuned from one base."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.encoders.causal import CausalNetwork, Tokens
from core.networks.language.fine_tuning import prepare, restore
from core.networks.states import Arrays
from core.text.read_once import ReadOnce


class SharedNetwork:
    """A network that holds the weights of one of several fine-tuned models at a time.

    They read the same documents, each of which is cut into tokens once.
    """

    def __init__(self, base: CausalNetwork, rank: int, tokens: int) -> None:
        """Prepare a base for the weights of its models.

        Args:
            base: The base, freshly loaded.
            rank: Rank of the adapters; 0 where all weights are trained.
            tokens: Most tokens of a document that the models read.
        """
        prepare(base, rank)
        base.model.eval().requires_grad_(False)
        self._network = base
        self._held: Arrays = {}
        self._cut = ReadOnce[Sequence[str], tuple[Tokens, NDArray[np.int64]]](
            lambda documents: base.tokens_of_words(documents, tokens), " ".join
        )

    def holding(self, state: Arrays) -> CausalNetwork:
        """Return the network with the weights of a state, until it is asked for those of another."""
        if state is not self._held:
            restore(self._network, state)
            self._held = state
        return self._network

    def cut(self, documents: Sequence[Sequence[str]]) -> list[tuple[Tokens, NDArray[np.int64]]]:
        """Return the tokens of each document, and the word of each, as `CausalNetwork.tokens_of_words` does."""
        return self._cut(documents)

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return self._network.vocabulary
