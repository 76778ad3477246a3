"""A trained word embedding."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

_COMPARED = 1000
"""Most words whose neighbours are compared."""


@dataclass(frozen=True)
class Embedding:
    """Words and their vectors.

    Attributes:
        words: The vocabulary.
        vectors: (words, dimension) float32.
    """

    words: Sequence[str]
    vectors: NDArray[np.float32]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def lookup(self, words: Iterable[str]) -> NDArray[np.float32]:
        """Return the vectors of words, (words, dimension); NaN for a word outside the vocabulary."""
        return self._select(self.vectors, words)

    def _select(self, vectors: NDArray[np.float32], words: Iterable[str]) -> NDArray[np.float32]:
        rows = np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)
        selected = np.full((len(rows), vectors.shape[1]), np.nan, dtype=np.float32)
        selected[rows >= 0] = vectors[rows[rows >= 0]]
        return selected

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the embedding as arrays for the store; `from_arrays` is the inverse."""
        return {"words": np.array(self.words, dtype=np.str_), "vectors": self.vectors}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Embedding":
        """Read what `as_arrays` returned."""
        return cls(arrays["words"].tolist(), arrays["vectors"])


@dataclass(frozen=True)
class Network(Embedding):
    """A word embedding with the input and output layers of the network it comes from.

    Attributes:
        inputs: (words, dimension) float32, the vector of each word as a centre word.
        outputs: (words, dimension) float32, the vector of each word as a context word.
    """

    inputs: NDArray[np.float32]
    outputs: NDArray[np.float32]

    @classmethod
    def empty(cls, dimension: int) -> "Network":
        """Return a network without words."""
        vectors = np.empty((0, dimension), np.float32)
        return cls((), vectors, vectors, vectors)

    def both(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the input and the output vectors of words, (words, dimension) each; NaN outside the vocabulary."""
        return self._select(self.inputs, words), self._select(self.outputs, words)

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the network as arrays for the store; `from_arrays` is the inverse."""
        return {**super().as_arrays(), "inputs": self.inputs, "outputs": self.outputs}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Network":
        """Read what `as_arrays` returned."""
        return cls(arrays["words"].tolist(), arrays["vectors"], arrays["inputs"], arrays["outputs"])


def neighbours_kept(before: Embedding, after: Embedding, *, nearest: int = 10) -> float:
    """Return the share of nearest neighbours by cosine that two embeddings of the same words have in common.

    The first words are compared; their order must be the same in both embeddings.
    """
    nearest = min(nearest, len(before.words) - 1)
    if nearest < 1:
        return 1.0
    first, second = (
        _neighbours(embedding, min(_COMPARED, len(embedding.words)), nearest) for embedding in (before, after)
    )
    common = [len(set(left) & set(right)) for left, right in zip(first.tolist(), second.tolist(), strict=True)]
    return float(np.mean(common) / nearest)


def _neighbours(embedding: Embedding, words: int, nearest: int) -> NDArray[np.int64]:
    """Return the rows of the nearest other words, (words, nearest)."""
    vectors = embedding.vectors.astype(np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    cosines = vectors[:words] @ vectors.T
    np.fill_diagonal(cosines, -np.inf)
    return np.argpartition(-cosines, nearest - 1, axis=1)[:, :nearest]
