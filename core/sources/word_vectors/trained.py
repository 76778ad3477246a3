"""Word vectors that were read, and the checks that every format makes of them."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors

MOST_WORDS = 20_000_000
MOST_DIMENSIONS = 10_000
LONGEST_WORD = 1_000
"""Bytes that a word may have."""
LARGEST = 4_000_000_000
"""Bytes that the vectors kept in memory may have."""

Settings = Mapping[str, int | float | str]
"""Hyper-parameters by the names that models have for them, as `core.models` does."""


@dataclass(frozen=True)
class TrainedVectors:
    """Trained word vectors.

    Attributes:
        words: The words kept, in the order of the file.
        vectors: (words, dimension) float32.
        total: Words in the file.
        described: The format, in words.
        settings: Hyper-parameters of the training that the file states; at least ``dimension``.
    """

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    total: int
    described: str
    settings: Settings


@dataclass
class Collector:
    """Gathers the vectors of the words wanted; the first of two equal words counts.

    Attributes:
        name: What messages call the file.
        dimension: Numbers of a vector.
        wanted: Words to keep; None for all.
    """

    name: str
    dimension: int
    wanted: Container[str] | None
    _rows: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def wants(self, word: str) -> bool:
        """Tell whether the vector of a word is still needed."""
        return word not in self._rows and (self.wanted is None or word in self.wanted)

    def add(self, word: str, vector: NDArray[np.float32]) -> None:
        """Keep the vector of a word, (dimension,).

        Raises:
            InvalidVectors: A number of it is not finite, or there is no room.
        """
        if not np.isfinite(vector).all():
            raise InvalidVectors(f"The vector of {word[:60]!r} in {self.name} holds a number that is not finite.")
        if 4 * self.dimension * len(self._rows) > LARGEST:
            raise InvalidVectors(f"The vectors of {self.name} take more than {LARGEST:,} bytes. Save fewer words.")
        self._rows[word] = vector

    def trained(self, total: int, described: str, settings: Settings | None = None) -> TrainedVectors:
        """Return the gathered vectors, of a file with a total of words."""
        rows = list(self._rows.values())
        vectors = np.stack(rows) if rows else np.empty((0, self.dimension), np.float32)
        stated = {**(settings or {}), "dimension": self.dimension}
        return TrainedVectors(tuple(self._rows), vectors, total, described, stated)


def check_shape(name: str, words: int, dimension: int, room: int, row: int) -> None:
    """Refuse a header that promises what no file of this size can hold.

    Args:
        name: What messages call the file.
        words: Words that it promises.
        dimension: Numbers of a vector that it promises.
        room: Bytes that the file has for them.
        row: Fewest bytes that a word with its vector takes.

    Raises:
        InvalidVectors: It promises nothing, or more than the file holds.
    """
    if not (0 < words <= MOST_WORDS and 0 < dimension <= MOST_DIMENSIONS):
        raise InvalidVectors(
            f"{name} says that it holds {words:,} words of {dimension:,} numbers. Between 1 and {MOST_WORDS:,} words "
            f"of 1 to {MOST_DIMENSIONS:,} numbers are read."
        )
    if words * row > room:
        raise InvalidVectors(
            f"{name} says that it holds {words:,} words of {dimension:,} numbers, which take at least {words * row:,} "
            f"bytes. It has {room:,}: it is cut off, or its first bytes are damaged."
        )
