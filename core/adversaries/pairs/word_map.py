"""Two embeddings of the same words, laid out in one plane for comparison."""

import numpy as np
from numpy.typing import NDArray

from core.kernels.projection import Method, project


def word_map(
    without: NDArray[np.float32],
    within: NDArray[np.float32],
    anchors: NDArray[np.float32],
    anchors_within: NDArray[np.float32],
    method: Method,
    seed: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lay out the words of two models.

    Embeddings are only determined up to rotation, so the second is first rotated onto the first (orthogonal
    Procrustes on the anchors); then both are projected together.

    Args:
        without: (words, d) vectors in a model without the target.
        within: (words, d) vectors of the same words in a model with it.
        anchors: (anchors, d) vectors of frequent words in the first model.
        anchors_within: (anchors, d) vectors of the same words in the second.
        method: Linear projection (PCA) or neighbourhood-preserving layout (UMAP).
        seed: Fixes UMAP's layout.

    Returns:
        Two arrays (words, 2); rows of words that a model does not know are NaN.
    """
    from scipy.linalg import orthogonal_procrustes

    shared = np.isfinite(anchors).all(axis=1) & np.isfinite(anchors_within).all(axis=1)
    rotation, _ = orthogonal_procrustes(anchors_within[shared], anchors[shared])
    both = np.concatenate([without, within @ rotation])
    known = np.isfinite(both).all(axis=1)
    points = np.full((len(both), 2), np.nan, dtype=np.float32)
    if known.sum() >= 4:
        points[known] = project(both[known], method, seed)
    return points[: len(without)], points[len(without) :]
