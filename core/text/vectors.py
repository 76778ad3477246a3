"""Content type of datasets of vectors: a sample of a store, with texts, owners and labels where it has them."""

from dataclasses import dataclass, field

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
        grown_from: Rows that the store had when it was audited before; 0 where it was not.
        displaced: (some,) rows of the sample of that time that later ones have displaced.
        not_finite: Row numbers in the store of those left out, rising.
        not_finite_ids: Their ids; empty without ids.
        queries: Texts that the store is searched for; empty where its own vectors stand for them.
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
    grown_from: int = 0
    displaced: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    queries: tuple[str, ...] = ()
    not_finite: tuple[int, ...] = ()
    not_finite_ids: tuple[str, ...] = ()

    @property
    def earlier(self) -> NDArray[np.bool_]:
        """Which rows the store had when it was audited before, (rows,); all where it was not."""
        return self.rows < (self.grown_from or self.total)

    def __len__(self) -> int:
        """Return the number of vectors in the sample."""
        return len(self.values)
