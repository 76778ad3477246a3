"""What an adversary may touch: objects that answer the queries of one threat model, and count them."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.embedding import Embedding


class Access:
    """Base of every access object.

    Attributes:
        queries: How many questions were answered so far.
    """

    title: ClassVar[str]

    def __init__(self) -> None:
        """Start counting."""
        self.queries = 0


class WordVectors(Access):
    """Black-box access to a word embedding: a word in, its vector out (Mahloujifar et al. 2021, section 2)."""

    title = "the vector of any word"

    def __init__(self, embedding: Embedding) -> None:
        """Wrap a trained embedding."""
        super().__init__()
        self._embedding = embedding

    def query(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words, (words, dimension); NaN for a word outside the vocabulary. One query a word."""
        self.queries += len(words)
        return self._embedding.lookup(words)
