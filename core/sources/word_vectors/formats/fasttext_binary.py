"""FastText's binary models: hyper-parameters, words, and the vectors of words and of their character n-grams."""

import mmap
import struct
from collections.abc import Container
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.word_vectors.ngrams import buckets_of
from core.sources.word_vectors.trained import LONGEST_WORD, Collector, TrainedVectors, check_shape

NAME = "fastText binary (.bin)"
_MAGIC = struct.pack("<i", 793_712_314)
_ARGUMENTS = struct.Struct("<12id")
_DICTIONARY = struct.Struct("<3i2q")
_SHAPE = struct.Struct("<2q")
_MODES = {1: "cbow", 2: "skip_gram"}
_END = "</s>"


def recognises(path: Path, head: bytes) -> bool:
    """Tell by the first bytes."""
    return head.startswith(_MAGIC)


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> TrainedVectors:
    """Return the vectors of the words wanted: for each word, the mean of its own vector and those of its n-grams.

    Raises:
        InvalidVectors: The file is damaged, quantised, or a classifier.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        reader = _Reader(content, path.name)
        settings = reader.settings()
        listed = reader.words()
        matrix, start = reader.matrix(len(listed), settings)
        collector = Collector(path.name, settings["dimension"], wanted)
        for row, word in enumerate(listed):
            if collector.wants(word):
                buckets = [] if word == _END else buckets_of(word, *(settings[name] for name in _PIECES))
                collector.add(
                    word, matrix([row, *(start + bucket for bucket in buckets)]).mean(axis=0, dtype=np.float32)
                )
        del matrix, reader
        return collector.trained(len(listed), "fastText binary", settings)


_PIECES = ("shortest_piece", "longest_piece", "buckets")


class _Reader:
    """Reads one field after the other, and refuses to read past the end."""

    def __init__(self, content: mmap.mmap, name: str) -> None:
        self._content, self._name, self._position = content, name, len(_MAGIC)

    def settings(self) -> dict[str, Any]:
        """Return the hyper-parameters by the names that models have for them."""
        (version,) = self._next(struct.Struct("<i"))
        if version not in (11, 12):
            raise self._damaged(f"it has the version {version}; 11 and 12 are read")
        dimension, window, epochs, fewest, noise, _, _, mode, buckets, shortest, longest, _, often = self._next(
            _ARGUMENTS
        )
        if mode not in _MODES:
            raise InvalidVectors(
                f"{self._name} is a fastText classifier, or damaged: its mode is {mode}. Models of words have "
                "1 (cbow) or 2 (skip-gram)."
            )
        if not (0 <= shortest <= 100 and 0 <= longest <= 100 and 0 <= buckets <= 100_000_000):
            raise self._damaged(f"it has {buckets:,} buckets of n-grams of {shortest} to {longest} characters")
        buckets = buckets if longest else 0
        return {
            "dimension": dimension,
            "window": window,
            "epochs": epochs,
            "minimum_count": fewest,
            "negatives": noise,
            "mode": _MODES[mode],
            "shortest_piece": shortest,
            "longest_piece": longest,
            "buckets": buckets,
            "subsampling": often,
        }

    def words(self) -> list[str]:
        """Return the words of the dictionary."""
        size, count, labels, _, pruned = self._next(_DICTIONARY)
        if size != count or labels or pruned >= 0:
            raise InvalidVectors(
                f"{self._name} is a classifier, or quantised. Save the vectors as text: fasttext print-word-vectors."
            )
        check_shape(self._name, count, 1, len(self._content) - self._position, 10)
        listed: list[str] = []
        for _ in range(count):
            end = self._content.find(b"\0", self._position, self._position + LONGEST_WORD)
            if end < 0:
                raise self._damaged(f"word {len(listed) + 1:,} has no end")
            listed.append(self._content[self._position : end].decode("utf-8", errors="replace"))
            self._position = end + 1 + 9  # after the word its count, 8 bytes, and its kind, 1 byte
        return listed

    def matrix(self, words: int, settings: dict[str, Any]) -> tuple[Any, int]:
        """Return a function that reads rows of the input matrix, and the row of the first bucket."""
        (quantised,) = self._next(struct.Struct("<?"))
        if quantised:
            raise InvalidVectors(f"{self._name} is quantised. Save the vectors as text: fasttext print-word-vectors.")
        rows, columns = self._next(_SHAPE)
        if columns != settings["dimension"] or rows != words + settings["buckets"]:
            raise self._damaged(
                f"its matrix has {rows:,} rows of {columns:,} numbers; {words + settings['buckets']:,} of "
                f"{settings['dimension']:,} are expected"
            )
        check_shape(self._name, rows, columns, len(self._content) - self._position, 4 * columns)
        start, width, content = self._position, 4 * columns, self._content

        def rows_of(numbers: list[int]) -> NDArray[np.float32]:
            joined = b"".join(content[start + width * row : start + width * (row + 1)] for row in numbers)
            return np.frombuffer(joined, "<f4").reshape(len(numbers), columns)

        return rows_of, words

    def _next(self, fields: struct.Struct) -> Any:
        if self._position + fields.size > len(self._content):
            raise self._damaged("it is cut off")
        values = fields.unpack_from(self._content, self._position)
        self._position += fields.size
        return values

    def _damaged(self, reason: str) -> InvalidVectors:
        return InvalidVectors(f"{self._name} is no fastText model that can be read: {reason}.")
