"""What takes three gigabytes, and what sees that a process is limited: few imports, for each worker makes them."""

import numpy as np
from numpy.typing import NDArray

from core.networks.word_embedding import Embedding
from core.runtime import memory
from core.text.corpus import Corpus
from tests.stand_ins import RandomVectors

MORE = 3 * 10**9


class SpaceConsuming(RandomVectors):
    """Takes three gigabytes while it trains, none of which it touches."""

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        assert len(np.empty(MORE, np.uint8)) == MORE
        return super().train(corpus, rng)


def peek(item: int, table: NDArray[np.uint8]) -> int:
    """Return an element of a table, in a process that is limited."""
    assert memory.limited()
    return int(table[item])
