"""Released coordinates are rounded to a few decimals."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter


class Rounding(EmbeddingDefense):
    """Round each coordinate of an embedding to r decimals (Pan et al. 2020, section VII).

    ``ẑ = rounding(z, r)``; ties go to the even digit. The strength depends on the size of the coordinates, which the
    paper does not scale. Embeddings of unit length, as stores hold them, have coordinates of about 0.05 at 384
    dimensions: r = 1 leaves only the few above 0.05, and r = 0 nothing. Raw hidden states are larger, and one decimal
    takes little from coordinates in the tens. The paper's r is not negative; r = -1, which rounds to tens, is here so
    that every encoder has a setting at which nothing is left. A negative coordinate rounded to zero loses its sign,
    which floating-point numbers would otherwise keep and reveal. Nothing is guaranteed.
    """

    title: ClassVar[str] = "rounding of the coordinates"
    version: ClassVar[int] = 2

    decimals: int = parameter(
        1,
        "Decimals of each coordinate; fewer hide more, -1 rounds to tens. At length one, 0 leaves a constant.",
        ge=-3,
        le=8,
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Return the rounding, which does not depend on the texts."""
        return RoundOff(self.decimals)


@dataclass(frozen=True)
class RoundOff(Mechanism):
    """Rounding of each coordinate.

    Attributes:
        decimals: Decimals that are kept.
    """

    coarsens: ClassVar[bool] = True
    decimals: int

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the rounded embeddings."""
        rounded = np.round(embeddings.astype(np.float64), self.decimals)
        return (rounded + 0.0).astype(np.float32)  # -0.0 + 0.0 is 0.0
