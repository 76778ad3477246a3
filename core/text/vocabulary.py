"""Words as the tokens of a language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from core.text.corpus import DUMMY, Corpus

BOUNDARY, UNKNOWN = 0, 1
"""Tokens for the boundary of documents, and for every word outside the vocabulary."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of a language model, the most frequent first; their tokens begin after the two special ones."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus, minimum_count: int) -> "Vocabulary":
        """Return the words that occur at least ``minimum_count`` times."""
        counts = corpus.counts()
        order = np.argsort(-counts, kind="stable")
        return cls(
            tuple(corpus.words[word] for word in order if counts[word] >= minimum_count and corpus.words[word] != DUMMY)
        )

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.words) + 2

    @cached_property
    def _tokens(self) -> dict[str, int]:
        return {word: number + 2 for number, word in enumerate(self.words)}

    def encode(self, corpus: Corpus) -> list[NDArray[np.int64]]:
        """Return the tokens of each document."""
        tokens = np.array([self._tokens.get(word, UNKNOWN) for word in corpus.words], dtype=np.int64)
        return [tokens[corpus.document(number)] for number in range(len(corpus))]

    def tokens(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the tokens of words, (words,)."""
        return np.array(list(map(self._tokens.get, words, repeat(UNKNOWN))), dtype=np.int64)

    def word(self, token: int) -> str:
        """Return the word of a token that is not special."""
        return self.words[token - 2]
