"""The directions of the embedding space that a secret lives in are taken out before release."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter

_BLOCK = 8192
_NOTHING = 1e-6
"""A length, relative to the whole, below which only rounding errors are left."""


class SubspaceProjection(EmbeddingDefense):
    """Project embeddings onto what is orthogonal to a privacy subspace (Pan et al. 2020, section VII and appendix C).

    ``ẑ = (I - Σ u_i u_iᵀ) z``, then ``ẑ / ‖ẑ‖``, where ``u_1, ..., u_k`` are the first eigenvectors of a matrix and
    ``k = β d``, at least 1. The matrix is one of two:

    - *within*, the paper's: ``C = Σ_i Σ_{z ∈ D_i} (z - μ_i)(z - μ_i)ᵀ / |D_i|``, summed over the sets ``D_i`` of texts
      with and without the keyword. It measures how the embeddings spread *inside* each set. Its first eigenvectors are
      therefore those of the largest variance of all kinds; the difference of the sets' means is subtracted, so what
      tells the sets apart is removed only where it happens to vary most, and as much of anything else goes with it. The
      method it refers to (Bolukbasi et al. 2016) centres *pairs* of words that differ in the secret alone, after
      which the spread inside each pair is the secret; over sets of sentences that reading is lost.
    - *between*, in the spirit of that work: ``B = Σ_i (μ_i - μ)(μ_i - μ)ᵀ``, ``μ`` being the mean of the ``μ_i``. Its
      eigenvectors span the differences of the means, at most one fewer than there are sets. Once these are gone no
      linear score has different means in different sets, and nothing linear is left to learn on the holder's texts
      (Belrose et al. 2023); what other statistics than the mean, or new texts, give away remains. Where k is larger,
      the paper's directions of what is left are removed next. Note that the final normalisation is not linear.

    With several secrets, which the paper treats one at a time, the matrices are summed, each divided by the number of
    sets; one subspace is removed. For one keyword this is the paper's. A secret whose answer is the same in all texts
    counts with its one set.

    As printed, the paper's projection ``Σ_i (I - v_i v_iᵀ) z`` adds k projections up and removes hardly anything;
    its words, "the subspace orthogonal to the privacy subspace", are followed. The embedding is not centred first, as
    in the paper. One of which nothing is left becomes all zeros, since the direction of its rounding errors would
    otherwise be released.
    """

    title: ClassVar[str] = "subspace projection"

    share: float = parameter(
        0.01, "Share of the dimensions that is removed (beta); more hides more.", label="Share removed", gt=0, le=1
    )
    subspace: Literal["within", "between"] = parameter(
        "within",
        "Remove the directions of largest variance within the sets (the paper), or those in which their means differ.",
        advanced=True,
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Find the subspace in the holder's texts and return the projection."""
        removed = self.directions(holdings)

        def project(embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
            released = np.empty_like(embeddings)
            for at in range(0, len(embeddings), _BLOCK):
                plain = embeddings[at : at + _BLOCK].astype(np.float64)
                left = plain - (plain @ removed) @ removed.T
                before, after = (np.linalg.norm(some, axis=1, keepdims=True) for some in (plain, left))
                something = after > _NOTHING * before
                released[at : at + _BLOCK] = np.divide(left, after, out=np.zeros_like(left), where=something)
            return released

        return project

    def directions(self, holdings: Holdings) -> NDArray[np.float64]:
        """Return an orthonormal basis of the privacy subspace, (dimension, k)."""
        dimension = holdings.embeddings.shape[1]
        count = max(1, round(self.share * dimension))
        within, means = _spread(holdings)
        if self.subspace == "within":
            return _first(within, count)
        bases, lengths, _ = np.linalg.svd(means, full_matrices=False)
        sides = bases[:, lengths > _NOTHING * lengths.max()][:, :count]
        beside = np.eye(dimension) - sides @ sides.T
        last = (np.trace(within) + 1) * sides @ sides.T  # what is removed already comes last
        rest = _first(beside @ within @ beside - last, count - sides.shape[1])
        return np.hstack([sides, rest])


def _first(matrix: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the eigenvectors of a symmetric matrix that have the largest eigenvalues, (dimension, count)."""
    return np.linalg.eigh(matrix)[1][:, ::-1][:, :count]


def _spread(holdings: Holdings) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the within-set scatter, (dimension, dimension), and the sets' scaled mean differences, (dimension, sets).

    Both are sums over secrets, each divided by its number of sets: the product of the second with its transpose is B.
    One pass over the texts makes C of ``Σ_z w_z z zᵀ - Σ_i μ_i μ_iᵀ``, ``w_z`` being one over the size of z's set.
    """
    embeddings = holdings.embeddings
    dimension = embeddings.shape[1]
    center = embeddings.mean(axis=0, dtype=np.float64)
    sets = [
        np.unique([secret.read(text) for text in holdings.texts], return_inverse=True, return_counts=True)[1:]
        for secret in holdings.secrets
    ]
    weights = np.sum([1 / (len(sizes) * sizes[which]) for which, sizes in sets], axis=0)
    scatter = np.zeros((dimension, dimension))
    sums = [np.zeros((dimension, len(sizes))) for _, sizes in sets]
    for at in range(0, len(embeddings), _BLOCK):
        block = embeddings[at : at + _BLOCK] - center  # (block, dimension)
        scatter += (block.T * weights[at : at + _BLOCK]) @ block
        for total, (which, sizes) in zip(sums, sets, strict=True):
            total += block.T @ (which[at : at + _BLOCK, None] == np.arange(len(sizes)))
    means = [total / sizes for total, (_, sizes) in zip(sums, sets, strict=True)]
    within = scatter - sum(mean @ mean.T / mean.shape[1] for mean in means)
    apart = [(mean - mean.mean(axis=1, keepdims=True)) / np.sqrt(mean.shape[1]) for mean in means]
    return within, np.hstack(apart)
