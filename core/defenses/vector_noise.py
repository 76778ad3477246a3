"""Random noise is added to word vectors before they are released."""

from typing import ClassVar

import numpy as np

from core.defenses import VectorDefense
from core.networks.word_embedding import Embedding
from core.spec import parameter


class VectorNoise(VectorDefense):
    """Add Gaussian noise to every word vector, once, so that asking again brings nothing new.

    Its standard deviation is a multiple of that of the vectors' coordinates. A heuristic: training is as before, what
    one user's documents change in the vectors has no bound, and so no amount of noise is a guarantee. It is here
    beside `core.defenses.subsampling` for the question that private training answers for language models: how much
    usefulness buys how much protection of a user. On Enron e-mails (CBOW, shadow models with the same noise) a noise of
    2 brings the word-pair attack on 100 e-mails from 0.95 to 0.58, and leaves 7 % of each word's nearest neighbours.
    """

    title: ClassVar[str] = "noise on word vectors"

    scale: float = parameter(
        0.5, "Standard deviation of the noise over that of the vectors’ coordinates.", label="Noise", ge=0.01, le=100
    )

    def on_vectors(self, embedding: Embedding, rng: np.random.Generator) -> Embedding:
        """Return the vectors with noise."""
        spread = float(embedding.vectors.std()) if embedding.vectors.size else 0.0
        noise = rng.normal(0.0, self.scale * spread, embedding.vectors.shape)
        return Embedding(embedding.words, (embedding.vectors + noise).astype(np.float32))
