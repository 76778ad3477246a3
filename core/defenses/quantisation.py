"""Vectors are stored with fewer bits for each coordinate, as vector stores offer it to save space."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter

_HALF = 16


class Quantisation(EmbeddingDefense):
    """Keep b bits of each coordinate.

    - *16 bits* are a number of half precision (float16).
    - *2 to 15 bits* number equal steps between the least and the largest value that a coordinate has among the holder's
      vectors, ``ẑ = low + step · round((z - low) / step)``; 8 bits are the scalar quantiser of most stores (int8).
      A value beyond that range counts as its end.
    - *1 bit* is the sign, at the mean size of the coordinate (binary quantisation).

    It saves space; whether it hides anything is what is measured. Nothing is guaranteed.
    """

    title: ClassVar[str] = "fewer bits"

    bits: int = parameter(
        8, "Bits of each coordinate: 16 for half precision, 8 for int8, 1 for the sign.", unit="bits", ge=1, le=_HALF
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Measure the range of each coordinate in the holder's vectors."""
        if self.bits == 1:
            size = np.abs(holdings.embeddings).mean(axis=0)
            return Steps(-size, 2 * size, 1)
        low, high = holdings.embeddings.min(axis=0), holdings.embeddings.max(axis=0)
        return Steps(low, (high - low) / (2**self.bits - 1), self.bits)


@dataclass(frozen=True)
class Steps(Mechanism):
    """Equal steps for each coordinate, or half precision.

    Attributes:
        low: (dimension,) lowest value.
        step: (dimension,) size of a step; 0 for a coordinate that is constant.
        bits: Bits of each coordinate.
    """

    low: NDArray[np.float32]
    step: NDArray[np.float32]
    bits: int

    @property
    def coarsens(self) -> bool:  # type: ignore[override]
        """Whether it keeps more of each coordinate than its sign."""
        return self.bits > 1

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings as they are read from the store."""
        if self.bits == _HALF:
            return embeddings.astype(np.float16).astype(np.float32)
        above = np.divide(embeddings - self.low, self.step, out=np.zeros_like(embeddings), where=self.step > 0)
        codes = above > 0.5 if self.bits == 1 else np.clip(np.round(above), 0, 2**self.bits - 1)
        return np.asarray(self.low + self.step * codes, np.float32)
