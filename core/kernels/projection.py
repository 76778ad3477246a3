"""Projection of vectors onto a plane, for display."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Method = Literal["pca", "umap"]
METHODS: tuple[Method, ...] = ("pca", "umap")


def project(vectors: NDArray[np.float32], method: Method, seed: int) -> NDArray[np.float32]:
    """Return the coordinates of vectors in a plane, (vectors, 2).

    Args:
        vectors: (vectors, d) at least four.
        method: Linear projection (PCA) or neighbourhood-preserving layout (UMAP).
        seed: Fixes UMAP's layout.
    """
    if method == "pca":
        from sklearn.decomposition import PCA

        return np.asarray(PCA(2, svd_solver="full").fit_transform(vectors), dtype=np.float32)
    from umap import UMAP

    neighbours = min(10, len(vectors) - 1)
    layout = UMAP(n_neighbors=neighbours, init="pca", random_state=seed, n_jobs=1)
    return np.asarray(layout.fit_transform(vectors), dtype=np.float32)
