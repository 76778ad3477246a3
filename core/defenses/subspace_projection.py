"""The directions of the embedding space that reveal a secret are removed before release."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter

_BLOCK = 8192
_ROUNDING_ERROR = 1e-6
"""Relative length below which only rounding errors are left."""


class SubspaceProjection(EmbeddingDefense):
    """Project embeddings onto the complement of a privacy subspace (Pan et al. 2020, section VII and appendix C).

    ``ẑ = (I - Σ u_i u_iᵀ) z``, then ``ẑ / ‖ẑ‖``, where ``u_1, ..., u_k`` are the leading eigenvectors of a matrix and
    ``k = β d``, at least 1. ``D_i`` are the classes of texts, with and without the keyword, ``μ_i`` their means:

    - *within*, the paper's: ``C = Σ_i Σ_{z ∈ D_i} (z - μ_i)(z - μ_i)ᵀ / |D_i|``. It measures the spread inside each
      class, so the difference of the means is removed only where embeddings happen to vary most. (Bolukbasi et al. 2016
      centre *pairs* that differ in the secret alone; with classes of sentences that idea is lost.)
    - *between*: ``B = Σ_i (μ_i - μ)(μ_i - μ)ᵀ``, μ the mean of the ``μ_i``. Without its eigenvectors the classes have
      equal means, so no linear classifier works on the holder's texts (Belrose et al. 2023). If k is larger, leading
      directions of C in the complement follow. The final normalisation is not linear.

    Deviations: for several secrets the matrices are summed, each divided by its number of classes. The printed formula
    ``Σ_i (I - v_i v_iᵀ) z`` removes hardly anything, so we follow the paper's words. An embedding of which nothing is
    left becomes zero, which releases no rounding errors. As in the paper, embeddings are not centred.
    """

    title: ClassVar[str] = "subspace projection"
    version: ClassVar[int] = 2

    share: float = parameter(
        0.01, "Share of the dimensions to remove (beta); more hides more.", label="Share removed", gt=0, le=1
    )
    subspace: Literal["within", "between"] = parameter(
        "within",
        "Remove the directions of largest variance within classes (the paper), or those in which their means differ.",
        advanced=True,
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Find the subspace in the holder's texts and return the projection."""
        return Projection(self.directions(holdings))

    def directions(self, holdings: Holdings) -> NDArray[np.float64]:
        """Return an orthonormal basis of the privacy subspace, (dimension, k)."""
        dimension = holdings.embeddings.shape[1]
        count = max(1, round(self.share * dimension))
        within, means = _spread(holdings)
        if self.subspace == "within":
            return _leading(within, count)
        bases, lengths, _ = np.linalg.svd(means, full_matrices=False)
        between = bases[:, lengths > _ROUNDING_ERROR * lengths.max()][:, :count]
        complement = np.eye(dimension) - between @ between.T
        last = (np.trace(within) + 1) * between @ between.T  # directions removed already come last
        within_complement = _leading(complement @ within @ complement - last, count - between.shape[1])
        return np.hstack([between, within_complement])


@dataclass(frozen=True)
class Projection(Mechanism):
    """Projection onto the complement of some directions, then scaling to length one.

    Attributes:
        removed: (dimension, k) orthonormal directions.
    """

    removed: NDArray[np.float64]

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the projected embeddings; zeros where only rounding errors are left."""
        released = np.empty_like(embeddings)
        for start in range(0, len(embeddings), _BLOCK):
            block = slice(start, start + _BLOCK)
            plain = embeddings[block].astype(np.float64)
            projected = plain - (plain @ self.removed) @ self.removed.T
            before, after = (np.linalg.norm(rows, axis=1, keepdims=True) for rows in (plain, projected))
            nonzero = after > _ROUNDING_ERROR * before
            released[block] = np.divide(projected, after, out=np.zeros_like(projected), where=nonzero)
        return released


def _leading(matrix: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the eigenvectors of the largest eigenvalues of a symmetric matrix, (dimension, count)."""
    return np.linalg.eigh(matrix)[1][:, ::-1][:, :count]


def _spread(holdings: Holdings) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scatter C, (dimension, dimension), and M, (dimension, classes), with ``M Mᵀ = B``.

    C is computed in one pass over the texts as ``Σ_z w_z z zᵀ - Σ_i μ_i μ_iᵀ``, ``w_z`` being one over the size of z's
    class.
    """
    embeddings = holdings.embeddings
    dimension = embeddings.shape[1]
    center = embeddings.mean(axis=0, dtype=np.float64)
    classes = [
        np.unique([secret.read(text) for text in holdings.texts], return_inverse=True, return_counts=True)[1:]
        for secret in holdings.secrets
    ]
    weights = np.sum([1 / (len(sizes) * sizes[labels]) for labels, sizes in classes], axis=0)
    scatter = np.zeros((dimension, dimension))
    sums = [np.zeros((dimension, len(sizes))) for _, sizes in classes]
    for start in range(0, len(embeddings), _BLOCK):
        rows = slice(start, start + _BLOCK)
        block = embeddings[rows] - center  # (block, dimension)
        scatter += (block.T * weights[rows]) @ block
        for total, (labels, sizes) in zip(sums, classes, strict=True):
            total += block.T @ (labels[rows, None] == np.arange(len(sizes)))
    means = [total / sizes for total, (_, sizes) in zip(sums, classes, strict=True)]
    within = scatter - sum(mean @ mean.T / mean.shape[1] for mean in means)
    between = [(mean - mean.mean(axis=1, keepdims=True)) / np.sqrt(mean.shape[1]) for mean in means]
    return within, np.hstack(between)
