"""Vectors of length one."""

import numpy as np
from numpy.typing import NDArray

SHORTEST = 1e-12
"""A shorter vector is not scaled up to length one."""


def scaled(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors scaled to length one, (vectors, dimension).

    >>> scaled(np.float32([[3, 4], [0, 0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, SHORTEST), np.float32)
