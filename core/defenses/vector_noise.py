"""Gaussian noise is added to word vectors before release."""

from typing import ClassVar

import numpy as np

from core.defenses import VectorDefense
from core.networks.word_embedding import Embedding
from core.spec import parameter


class VectorNoise(VectorDefense):
    """Add Gaussian noise to every word vector once, so that repeated queries reveal no more.

    Its standard deviation is a multiple of that of the vectors' coordinates. A heuristic, not a guarantee: training is
    unchanged, and the effect of one user's documents on the vectors has no bound. Together with
    `core.defenses.subsampling` it shows how much utility buys how much protection of a user, as private training does
    for language models.
    """

    title: ClassVar[str] = "noise on word vectors"

    scale: float = parameter(
        0.5,
        "Standard deviation of the noise, relative to that of the vectors’ coordinates.",
        label="Noise",
        ge=0.01,
        le=100,
    )

    def on_vectors(self, embedding: Embedding, rng: np.random.Generator) -> Embedding:
        """Return the vectors with noise."""
        spread = float(embedding.vectors.std()) if embedding.vectors.size else 0.0
        noise = rng.normal(0.0, self.scale * spread, embedding.vectors.shape)
        return Embedding(embedding.words, (embedding.vectors + noise).astype(np.float32))
