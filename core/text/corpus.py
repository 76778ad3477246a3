"""Documents as word ids, to train word models on."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

DUMMY = "<unk>"
"""Replaces every word outside the public dictionary (Mahloujifar et al. 2021, section 3.2)."""

_WORD = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words; digits and punctuation separate them.

    >>> words_of("Call me at 5, Mr. O'Neill!")
    ['call', 'me', 'at', 'mr', 'o', 'neill']
    """
    return _WORD.findall(text.lower())


def beginning_of(text: str, words: int) -> str:
    """Return a text up to its n-th word, as `words_of` counts, or the whole text where it has fewer.

    >>> beginning_of("Call me at 5, Mr. O'Neill!", 4)
    'Call me at 5, Mr'
    """
    ends = [match.end() for match, _ in zip(_WORD.finditer(text), range(words), strict=False)]
    return text[: ends[-1]] if len(ends) == words > 0 else text


@dataclass(frozen=True)
class Corpus:
    """Tokenised documents that share one vocabulary.

    Attributes:
        words: Vocabulary; a token is an index into it.
        tokens: (n,) int32, all documents one after the other.
        offsets: (documents + 1,) int64, where each document begins; the last entry is n.
    """

    words: tuple[str, ...]
    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def encode(cls, texts: Iterable[str], dictionary: Collection[str] | None = None) -> "Corpus":
        """Tokenise texts.

        Args:
            texts: One string a document.
            dictionary: Words to keep; every other word becomes `DUMMY`. All words are kept when None.
        """
        split: Sequence[Sequence[str]] = [words_of(text) for text in texts]
        if dictionary is not None:
            words = frozenset(dictionary)
            split = [[word if word in words else DUMMY for word in document] for document in split]
        return cls.of(split)

    @classmethod
    def of(cls, split: Sequence[Sequence[str]]) -> "Corpus":
        """Return the corpus of documents given as words."""
        counts = Counter(chain.from_iterable(split))
        words = tuple(sorted(sorted(counts), key=counts.__getitem__, reverse=True))  # of equal ones, by the alphabet
        index = {word: number for number, word in enumerate(words)}
        tokens = np.fromiter(map(index.__getitem__, chain.from_iterable(split)), np.int32)
        return cls(words, tokens, _offsets(split))

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.offsets) - 1

    def document(self, number: int) -> NDArray[np.int32]:
        """Return the word ids of one document."""
        return self.tokens[self.offsets[number] : self.offsets[number + 1]]

    def texts(self) -> list[list[str]]:
        """Return the words of each document."""
        return [[self.words[word] for word in self.document(number)] for number in range(len(self))]

    def select(self, documents: Sequence[int] | NDArray[np.int64]) -> "Corpus":
        """Return the corpus of the given documents, in that order, with the same vocabulary."""
        chosen = [self.document(int(number)) for number in documents]
        return Corpus(self.words, np.concatenate([*chosen, np.empty(0, np.int32)]), _offsets(chosen))

    def shards(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """Yield tokens and offsets of all documents, in as many pieces as memory demands: here one."""
        yield self.tokens, self.offsets

    def counts(self) -> NDArray[np.int64]:
        """Return how often each word of the vocabulary occurs, shape (words,)."""
        return np.bincount(self.tokens, minlength=len(self.words))

    def frequent(self, minimum_count: int) -> "Corpus":
        """Return the corpus without the words that occur fewer than ``minimum_count`` times."""
        counts = self.counts()
        frequent = counts >= minimum_count  # (words,)
        renumbered = np.cumsum(frequent, dtype=np.int64) - 1
        remains = frequent[self.tokens]  # (n,)
        tokens = renumbered[self.tokens[remains]].astype(np.int32)
        before = np.concatenate([[0], np.cumsum(remains, dtype=np.int64)])
        words = tuple(compress(self.words, frequent.tolist()))
        return Corpus(words, tokens, before[self.offsets])


def _offsets(documents: Sequence[Sized]) -> NDArray[np.int64]:
    """Return where each document begins, and where the last ends."""
    return np.concatenate([[0], np.cumsum([len(document) for document in documents], dtype=np.int64)]).astype(np.int64)
