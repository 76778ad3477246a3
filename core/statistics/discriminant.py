"""Linear discriminant analysis in closed form, for embeddings whose noise is known."""

import numpy as np
from numpy.typing import NDArray


def discriminant(
    inputs: NDArray[np.float32], truth: NDArray[np.int64], classes: int, noise: NDArray[np.float32] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return slopes, (dimension, classes), and offsets, (classes,), of the score of each class.

    The classes have means m_a and share one covariance S, shrunk after Ledoit and Wolf, to which the known variance of
    the noise on the embeddings to be classified is added. No draw of the noise is needed, so none can be over-fitted:

        score of a = x' S^-1 m_a - 1/2 m_a' S^-1 m_a.

    Args:
        inputs: (rows, dimension) embeddings without noise, or their means under it.
        truth: (rows,) classes, each of which occurs.
        classes: Number of classes.
        noise: (dimension,) variance of the noise on each coordinate; None for none.
    """
    from sklearn.covariance import LedoitWolf

    means = np.stack([inputs[truth == number].mean(axis=0, dtype=np.float64) for number in range(classes)])
    residuals = inputs - means[truth]
    covariance = np.eye(inputs.shape[1])
    if residuals.any():
        covariance = LedoitWolf(assume_centered=True).fit(residuals).covariance_
    if noise is not None and noise.any():
        covariance = covariance + np.diag(noise.astype(np.float64))
    slopes = np.linalg.lstsq(covariance, means.T, rcond=None)[0]
    return slopes, -0.5 * np.einsum("ad,da->a", means, slopes)
