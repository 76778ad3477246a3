"""Vectors are turned by a secret rotation before they are stored; queries are turned by the same."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter


class Rotation(EmbeddingDefense):
    """Turn a share of the dimensions by a secret random rotation, ``ẑ = Q z``.

    Who knows ``Q`` turns each query too, so that the ranking is kept exactly. ``Q`` is a key: an adversary cannot turn
    texts of its own. What it has are pairs that leaked with their stored vectors
    (`core.attacks.inversion.few_shot_inversion`).
    An attack that embeds all its texts behind the defenses is granted as many pairs as it has texts.
    """

    title: ClassVar[str] = "secret rotation"
    keyed: ClassVar[bool] = True

    share: float = parameter(1.0, "Share of the dimensions that are turned.", gt=0, le=1)

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Draw the rotation."""
        dimension = holdings.embeddings.shape[1]
        count = max(1, round(self.share * dimension))
        turned = np.eye(dimension)
        turned[:count, :count] = np.linalg.qr(rng.normal(size=(count, count)))[0]
        return Turned(turned)


@dataclass(frozen=True)
class Turned(Mechanism):
    """A rotation.

    Attributes:
        rotation: (dimension, dimension) orthogonal.
    """

    rotation: NDArray[np.float64]

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the turned embeddings."""
        return self.query(embeddings)

    def query(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Turn queries as what is stored."""
        return np.asarray(embeddings.astype(np.float64) @ self.rotation, np.float32)
