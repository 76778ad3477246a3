"""The coordinates of vectors are shuffled by a secret order before they are stored; those of queries by the same."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism


class ShuffledCoordinates(EmbeddingDefense):
    """Put all coordinates into a secret random order, the same for every vector.

    Who knows the order shuffles each query too, so that the ranking is kept exactly. It is a special rotation
    (`core.defenses.rotation`), and a key: an adversary cannot shuffle texts of its own. What it has are pairs that
    leaked with their stored vectors. As each coordinate keeps its distribution, an adversary might recognise some
    without any pair; that was not tried.
    """

    title: ClassVar[str] = "shuffled coordinates"
    keyed: ClassVar[bool] = True

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Draw the order."""
        return Shuffled(rng.permutation(holdings.embeddings.shape[1]))


@dataclass(frozen=True)
class Shuffled(Mechanism):
    """An order of the coordinates.

    Attributes:
        order: (dimension,) which coordinate comes where.
    """

    order: NDArray[np.int64]

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings in that order."""
        return self.query(embeddings)

    def query(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Shuffle queries as what is stored."""
        return embeddings[:, self.order]
