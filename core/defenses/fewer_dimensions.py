"""Vectors are stored with fewer dimensions: the first ones, those of largest variance, or random ones."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter


class FewerDimensions(EmbeddingDefense):
    """Keep a share of the dimensions.

    - *first*: the first coordinates, as encoders trained for truncation (Matryoshka) allow.
    - *principal*: the leading eigenvectors of ``Σ z zᵀ`` over the holder's vectors (PCA without centring, so that inner
      products are kept best).
    - *random*: a random subspace, a random projection with orthonormal rows.

    The vectors are released in their old space, as their projection ``U Uᵀ z``; lengths and inner products are those of
    the short vector ``Uᵀ z``. It saves space; whether it hides anything is what is measured. Nothing is guaranteed.
    """

    title: ClassVar[str] = "fewer dimensions"

    share: float = parameter(0.25, "Share of the dimensions that is kept; less hides more.", gt=0, le=1)
    kept: Literal["first", "principal", "random"] = parameter(
        "first", "Which are kept: the first, those of largest variance, or random ones."
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Choose the subspace."""
        dimension = holdings.embeddings.shape[1]
        count = max(1, round(self.share * dimension))
        if self.kept == "principal":
            plain = holdings.embeddings.astype(np.float64)
            return OntoSubspace(np.linalg.eigh(plain.T @ plain)[1][:, ::-1][:, :count])
        basis = np.eye(dimension) if self.kept == "first" else np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]
        return OntoSubspace(basis[:, :count])


@dataclass(frozen=True)
class OntoSubspace(Mechanism):
    """Projection onto a subspace.

    Attributes:
        basis: (dimension, k) orthonormal directions.
    """

    basis: NDArray[np.float64]

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the projected embeddings."""
        return np.asarray(embeddings.astype(np.float64) @ self.basis @ self.basis.T, np.float32)
