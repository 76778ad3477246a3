"""Documents as word ids that stay on disk: memory holds only what is being read."""

import platform
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import DataUnavailable
from core.text.corpus import DUMMY, Corpus

TOKENS, OFFSETS, RANKS, WORDS = "tokens.int32", "offsets.int64", "ranks.int32", "words.arrow"
"""Names of the files: word ids, where documents begin, alphabetical rank of each word, the words."""

SHARD = 2**20
"""Tokens that are read at a time, unless one document has more."""

_LEFT_OUT = -1


@dataclass(frozen=True)
class StoredTokens:
    """Files with tokenised documents; each process opens them when it first reads them.

    Attributes:
        folder: Where the files are.
    """

    folder: Path

    @cached_property
    def tokens(self) -> NDArray[np.int32]:
        """(n,) word ids of all documents, one after the other."""
        return self._mapped(TOKENS, np.int32)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """(documents + 1,) where each document begins; the last entry is n."""
        return self._mapped(OFFSETS, np.int64)

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """(words,) rank of each word in alphabetical order."""
        return self._mapped(RANKS, np.int32)

    @cached_property
    def words(self) -> Any:
        """The words, the most frequent first, as an Arrow array that stays on disk."""
        import pyarrow as pa

        column = pa.ipc.open_file(pa.memory_map(str(self._present(WORDS)))).read_all().column("word")
        return column.combine_chunks()

    def __getstate__(self) -> dict[str, Any]:
        """Return the folder alone, for other processes."""
        return {"folder": self.folder}

    def _mapped(self, name: str, kind: type[Any]) -> NDArray[Any]:
        path = self._present(name)
        return np.memmap(path, kind, "r") if path.stat().st_size else np.empty(0, kind)

    def _present(self, name: str) -> Path:
        """Return the path of a file."""
        path = self.folder / name
        if not path.is_file():
            raise DataUnavailable(
                f"The machine {platform.node()}, a worker or this one, has no {path}. Give each worker the folder "
                "'corpora' of your own TELLTALE_HOME, shared or copied: at the same place, or below its own "
                "TELLTALE_HOME. Then run again."
            )
        return path


class StoredCorpus(Corpus):
    """Some documents of `StoredTokens` under a vocabulary of their own.

    It gives what the same `Corpus` in memory gives, to the byte. `select`, `frequent` and `encoded` read no document;
    `counts` and `shards` read the documents in pieces. ``tokens`` and ``offsets`` bring all of them into memory.
    """

    def __init__(
        self,
        stored: StoredTokens,
        rows: NDArray[np.int64],
        numbers: NDArray[np.int32],
        ids: NDArray[np.int32],
    ) -> None:
        """Choose documents and words.

        Args:
            stored: The files.
            rows: (documents,) numbers of the documents there.
            numbers: (stored words,) the id here of each word there; negative for words that are left out.
            ids: (words,) the id there of each word here; negative for the dummy word.
        """
        self.__dict__.update(stored=stored, rows=rows, numbers=numbers, ids=ids)

    stored: StoredTokens
    rows: NDArray[np.int64]
    numbers: NDArray[np.int32]
    ids: NDArray[np.int32]

    @classmethod
    def encoded(
        cls, stored: StoredTokens, rows: NDArray[np.int64], dictionary: Collection[str] | None = None
    ) -> "StoredCorpus":
        """Return some documents under the vocabulary that `Corpus.encode` gives them.

        Args:
            stored: The files.
            rows: (documents,) numbers of the documents.
            dictionary: Words to keep; every other word becomes `DUMMY`. All words are kept when None.
        """
        every = np.arange(len(stored.ranks), dtype=np.int32)
        counts = cls(stored, rows, every, every).counts()
        words, ranks = every, np.asarray(stored.ranks)
        inside = np.ones(len(words), np.bool_) if dictionary is None else _is_in(stored, dictionary)
        if not inside.all():
            # The dummy word comes before all others in alphabetical order: no letter is below its bracket.
            words = np.append(words[inside], np.int32(_LEFT_OUT))
            ranks = np.append(ranks[inside], np.int32(_LEFT_OUT))
            counts = np.append(counts[inside], counts[~inside].sum())
        occurs = counts > 0
        words, ranks, counts = words[occurs], ranks[occurs], counts[occurs]
        ids = words[np.lexsort((ranks, -counts))]
        numbers = np.full(len(stored.ranks), _LEFT_OUT, np.int32)
        dummy = np.flatnonzero(ids == _LEFT_OUT)
        if len(dummy):
            numbers[~inside] = dummy[0]
        is_word = ids != _LEFT_OUT
        numbers[ids[is_word]] = np.flatnonzero(is_word)
        return cls(stored, rows, numbers, ids)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Vocabulary; a token is an index into it."""
        if not len(self.ids):
            return ()
        words = self.stored.words.take(np.maximum(self.ids, 0)).to_pylist()
        return tuple(DUMMY if number < 0 else word for number, word in zip(self.ids.tolist(), words, strict=True))

    @property
    def tokens(self) -> NDArray[np.int32]:
        """(n,) word ids of all documents, in memory."""
        return np.concatenate([*(tokens for tokens, _ in self.shards()), np.empty(0, np.int32)])

    @property
    def offsets(self) -> NDArray[np.int64]:
        """(documents + 1,) where each document begins, in memory."""
        lengths = [np.diff(offsets) for _, offsets in self.shards()]
        return np.concatenate([[0], np.cumsum(np.concatenate([*lengths, np.empty(0, np.int64)]))]).astype(np.int64)

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.rows)

    def __getstate__(self) -> dict[str, Any]:
        """Return what determines the corpus, for other processes."""
        return {name: self.__dict__[name] for name in ("stored", "rows", "numbers", "ids")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what another process sent."""
        self.__dict__.update(state)

    def document(self, number: int) -> NDArray[np.int32]:
        """Return the word ids of one document."""
        row = int(self.rows[number])
        tokens = self.numbers[self.stored.tokens[self.stored.offsets[row] : self.stored.offsets[row + 1]]]
        return tokens[tokens >= 0]

    def select(self, documents: Sequence[int] | NDArray[np.int64]) -> "StoredCorpus":
        """Return the corpus of the given documents, in that order, with the same vocabulary."""
        return StoredCorpus(self.stored, self.rows[np.asarray(documents, np.int64)], self.numbers, self.ids)

    def counts(self) -> NDArray[np.int64]:
        """Return how often each word of the vocabulary occurs, shape (words,)."""
        counts = np.zeros(len(self.ids), np.int64)
        for tokens, _ in self.shards():
            counts += np.bincount(tokens, minlength=len(self.ids))
        return counts

    def frequent(self, minimum_count: int) -> "StoredCorpus":
        """Return the corpus without the words that occur fewer than ``minimum_count`` times."""
        keeps = self.counts() >= minimum_count  # (words,)
        renumbered = np.where(keeps, np.cumsum(keeps) - 1, _LEFT_OUT).astype(np.int32)
        numbers = np.where(
            self.numbers < 0, np.int32(_LEFT_OUT), np.append(renumbered, np.int32(_LEFT_OUT))[self.numbers]
        )
        return StoredCorpus(self.stored, self.rows, numbers, self.ids[keeps])

    def shards(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """Yield tokens and offsets of a few documents at a time."""
        offsets = self.stored.offsets
        for rows in _batches(self.rows, offsets):
            starts = np.asarray(offsets[rows])
            lengths = offsets[rows + 1] - starts
            ends = np.cumsum(lengths)
            indices = np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1])
            tokens = self.numbers[self.stored.tokens[indices]]
            keeps = tokens >= 0
            if keeps.all():
                yield tokens, np.concatenate([[0], ends])
            else:
                before = np.concatenate([[0], np.cumsum(keeps, dtype=np.int64)])
                yield tokens[keeps], before[np.concatenate([[0], ends])]


def _batches(rows: NDArray[np.int64], offsets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows in pieces of at most `SHARD` tokens, or of one document."""
    for start in range(0, len(rows), SHARD):
        chunk = rows[start : start + SHARD]
        ends = np.cumsum(offsets[chunk + 1] - offsets[chunk])
        first = 0
        while first < len(chunk):
            limit = SHARD + (ends[first - 1] if first else 0)
            last = max(int(np.searchsorted(ends, limit, side="right")), first + 1)
            yield chunk[first:last]
            first = last


def _is_in(stored: StoredTokens, dictionary: Collection[str]) -> NDArray[np.bool_]:
    """Return which stored words are in a dictionary, (words,)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known = pa.array(sorted(set(dictionary)), stored.words.type)
    return np.asarray(pc.is_in(stored.words, value_set=known), np.bool_)
