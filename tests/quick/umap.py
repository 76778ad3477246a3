"""Stands in for umap, whose compiler takes longer than everything else together; what umap refuses, it refuses too."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class UMAP:
    """The first two coordinates."""

    def __init__(self, n_neighbors: int, **ignored: Any) -> None:
        self._neighbours = n_neighbors

    def fit_transform(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        if not np.isfinite(vectors).all():
            raise ValueError("Input contains NaN or infinity.")
        if not 1 < self._neighbours < len(vectors):
            raise ValueError(f"{self._neighbours} neighbours of {len(vectors)} vectors")
        return vectors[:, :2]
