"""Gaussian noise is added to embeddings before release."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.spec import parameter


class Gaussian(EmbeddingDefense):
    """Add independent Gaussian noise to each coordinate.

    Its standard deviation is a multiple of that of the holder's coordinates, each around its mean: at a scale of 1, the
    noise and what tells one embedding from another are equally long. A heuristic: the scale is no promise of
    differential privacy, as the effect of a text on its embedding has no bound here.
    """

    title: ClassVar[str] = "Gaussian noise"

    scale: float = parameter(
        1.0,
        "Standard deviation of the noise, relative to that of the coordinates; more hides more.",
        label="Noise",
        ge=0.001,
        le=1000,
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Measure how the coordinates vary."""
        return GaussianNoise(self.scale * float(np.sqrt(holdings.embeddings.astype(np.float64).var(axis=0).mean())))


@dataclass(frozen=True)
class GaussianNoise(Mechanism):
    """Independent Gaussian noise on each coordinate.

    Attributes:
        deviation: Its standard deviation.
    """

    random: ClassVar[bool] = True
    deviation: float

    @property
    def variance(self) -> float:
        """Variance of the noise on each coordinate."""
        return self.deviation**2

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings with noise."""
        noise = rng.standard_normal(embeddings.shape, np.float32)
        noise *= np.float32(self.deviation)
        noise += embeddings
        return noise
