"""Random noise, sized by what the change of one word does to an embedding, is added before release."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.errors import Incompatible
from core.spec import parameter
from core.text.words import words_in


class Laplace(EmbeddingDefense):
    """Add Laplace noise to each coordinate (Pan et al. 2020, section VII and appendix C).

    ``ẑ = z + (Y_1, ..., Y_d)``, the ``Y_i`` independent from the Laplace distribution around 0 with scale ``Δf / ε``,
    where ``Δf`` is the largest l1 distance between the embeddings of two texts that differ in one word. It is
    estimated: of many random pairs of such texts, the farthest apart give ``Δf``. One text of a pair is the holder's;
    the other has a random word of it replaced by another word from the holder's texts, as it is written there. In texts
    of spaced characters, such as nucleotides, each character is a word.

    This gives no guarantee of differential privacy, although the paper speaks of (ε, 0). The guarantee needs the
    largest change over *all* pairs of texts; the largest among those drawn is a lower bound of it, grows with their
    number, and the paper knows no bound of the error. Even the exact value would protect one word of one text released
    once, not the whole text, and noise of finite precision gives less than noise of real numbers (Mironov 2012).
    Read ε as a setting of the noise.

    The paper draws 10,000 pairs; the default is 1,000 because each costs an embedding. It does not say from which texts
    or words. With random defenses before this one, their noise is part of the distances, and ``Δf`` comes out larger.
    """

    title: ClassVar[str] = "Laplace noise"

    epsilon: float = parameter(
        100.0,
        "Noise has the scale of the estimated sensitivity divided by this; less hides more.",
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
        scale = self.sensitivity(holdings, rng) / self.epsilon

        def add_noise(embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
            noisy = rng.laplace(0.0, scale, embeddings.shape)
            noisy += embeddings
            return noisy.astype(np.float32)

        return add_noise

    def sensitivity(self, holdings: Holdings, rng: np.random.Generator) -> float:
        """Return the largest l1 distance found between the embeddings of two texts one word apart.

        Raises:
            Incompatible: No word of the holder's texts can be replaced by another.
        """
        rows, changed = one_word_apart(holdings.texts, self.pairs, rng)
        distances = np.abs(holdings.encode(changed).astype(np.float64) - holdings.embeddings[rows]).sum(axis=1)
        return float(distances.max())


def one_word_apart(
    texts: Sequence[str], pairs: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return rows of random texts, and each of these texts with one word changed to another of all the texts' words.

    Raises:
        Incompatible: The texts have fewer than two different words.
    """
    places = [list(words_in(text)) for text in texts]
    words = sorted({place.group() for found in places for place in found})
    if len(words) < 2:
        raise Incompatible(
            "The sensitivity is estimated on texts one word apart, which takes at least 2 different words. "
            f"The {len(texts)} texts have {len(words)}."
        )
    position = {word: number for number, word in enumerate(words)}
    rows = rng.choice(np.flatnonzero([bool(found) for found in places]), pairs)
    changed: list[str] = []
    for row in rows:
        place = places[row][int(rng.integers(len(places[row])))]
        other = int(rng.integers(len(words) - 1))
        other += other >= position[place.group()]
        changed.append(texts[row][: place.start()] + words[other] + texts[row][place.end() :])
    return rows, tuple(changed)
