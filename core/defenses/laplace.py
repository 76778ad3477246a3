"""Laplace noise, scaled by the effect of one word on an embedding, is added before release."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.errors import Incompatible
from core.spec import parameter
from core.text.words import words_in


class Laplace(EmbeddingDefense):
    """Add Laplace noise to each coordinate (Pan et al. 2020, section VII and appendix C).

    ``ẑ = z + (Y_1, ..., Y_d)``, the ``Y_i`` independent with scale ``Δf / ε``, where ``Δf`` is the largest l1 distance
    between the embeddings of two texts that differ in one word. It is estimated as the maximum over random pairs: one
    of the holder's texts, and the same text with a random word replaced by another word of the holder's texts. In texts
    of spaced characters, such as nucleotides, each character is a word.

    The paper claims (ε, 0) differential privacy, but this is no guarantee: the maximum over drawn pairs is only a lower
    bound of that over all pairs, it would protect one word of one text released once, and noise of finite precision
    gives less (Mironov 2012). Read ε as a setting of the noise.

    The paper draws 10,000 pairs from unstated texts and words; the default is 1,000, because each costs an embedding.
    If random defenses come before this one, their noise makes ``Δf`` larger.
    """

    title: ClassVar[str] = "Laplace noise"
    version: ClassVar[int] = 2

    epsilon: float = parameter(
        100.0,
        "The scale of the noise is the estimated sensitivity divided by this; less hides more.",
        label="Epsilon",
        ge=1e-3,
        le=1e6,
    )
    pairs: int = parameter(
        1000,
        "Pairs of texts, one word apart, from which the sensitivity is estimated.",
        unit="pairs",
        ge=1,
        le=100_000,
        advanced=True,
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Estimate the sensitivity and return the noise.

        Raises:
            Incompatible: No word of the holder's texts can be replaced by another.
        """
        return LaplaceNoise(self.sensitivity(holdings, rng) / self.epsilon)

    def sensitivity(self, holdings: Holdings, rng: np.random.Generator) -> float:
        """Return the largest l1 distance between embeddings among drawn pairs of texts one word apart.

        Raises:
            Incompatible: No word of the holder's texts can be replaced by another.
        """
        rows, changed = one_word_apart(holdings.texts, self.pairs, rng)
        distances = np.abs(holdings.encode(changed).astype(np.float64) - holdings.embeddings[rows]).sum(axis=1)
        return float(distances.max())


@dataclass(frozen=True)
class LaplaceNoise(Mechanism):
    """Independent Laplace noise on each coordinate.

    Drawn in single precision, as a difference of two exponential variables, because an adversary draws it again for
    each batch of its training.

    Attributes:
        scale: The scale of the noise.
    """

    random: ClassVar[bool] = True
    scale: float

    @property
    def variance(self) -> float:
        """Variance of the noise on each coordinate."""
        return 2 * self.scale**2

    def log_likelihood(
        self, released: NDArray[np.float32], expected: NDArray[np.float32]
    ) -> NDArray[np.float64] | None:
        """Return minus the l1 distances in units of the scale, (vectors, texts); None without noise."""
        return np.asarray(-cdist(released, expected, "cityblock") / self.scale) if self.scale else None

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings with noise."""
        noise = rng.standard_exponential(embeddings.shape, np.float32)
        noise -= rng.standard_exponential(embeddings.shape, np.float32)
        noise *= np.float32(self.scale)
        noise += embeddings
        return noise


def one_word_apart(
    texts: Sequence[str], pairs: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return rows of random texts, and these texts with one word each replaced by another word of the texts.

    Raises:
        Incompatible: The texts have fewer than two different words.
    """
    matches = [list(words_in(text)) for text in texts]
    words = sorted({match.group() for row in matches for match in row})
    if len(words) < 2:
        raise Incompatible(
            "The sensitivity is estimated on texts one word apart, which takes at least 2 different words. "
            f"The {len(texts)} texts have {len(words)}."
        )
    index = {word: number for number, word in enumerate(words)}
    rows = rng.choice(np.flatnonzero([bool(row) for row in matches]), pairs)
    changed: list[str] = []
    for row in rows:
        match = matches[row][int(rng.integers(len(matches[row])))]
        other = int(rng.integers(len(words) - 1))
        other += other >= index[match.group()]
        changed.append(texts[row][: match.start()] + words[other] + texts[row][match.end() :])
    return rows, tuple(changed)
