"""Content type of datasets of vectors: a sample of a store, with texts, owners and labels where it has them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Vectors:
    """A random sample of stored vectors.

    Attributes:
        values: (rows, dimension) the vectors, with storage formats undone.
        rows: (rows,) their row numbers in the store, rising.
        total: Number of vectors in the store.
        left_out: Number of drawn vectors that are left out because some of their numbers are not finite.
        described: What the store is, in words: ``float32, NumPy file``.
        texts: The text of each vector; empty without texts.
        ids: The id of each; empty without ids.
        owners: The owner of each; empty without owners.
        labels: The class of each; empty without classes.
    """

    values: NDArray[np.float32]
    rows: NDArray[np.int64]
    total: int
    left_out: int
    described: str
    texts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of vectors in the sample."""
        return len(self.values)
