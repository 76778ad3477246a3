"""What the tests put into vector stores: some vectors of length one, each with an id, a text and an owner."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

DIMENSION = 8


@dataclass(frozen=True)
class Row:
    """A vector with what stands beside it."""

    id: int
    vector: np.ndarray

    @property
    def text(self) -> str:
        return f"text {self.id}"

    @property
    def owner(self) -> str:
        return ("anna", "ben")[self.id % 2]


def vectors(count: int) -> np.ndarray:
    """Return some vectors, (count, 8)."""
    drawn = np.random.default_rng(count).normal(size=(count, DIMENSION)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def rows(count: int) -> Iterator[Row]:
    """Yield some rows."""
    for number, vector in enumerate(vectors(count)):
        yield Row(number, vector)


def after_changes(count: int) -> dict[str, np.ndarray]:
    """Return by id what is left after row 3 was deleted, and row 5 got the vector of row 0."""
    left = {str(row.id): row.vector for row in rows(count) if row.id != 3}
    return {**left, "5": left["0"]}
