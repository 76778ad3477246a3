"""Defenses of sentence embeddings, one behind the other."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import EncoderInternals, SentenceEmbeddings
from core.defenses import Defense, EmbeddingDefense, Holdings, Mechanism
from core.errors import Incompatible, ModelRefused
from core.secret import Secret
from core.seeding import generator

ASKED = "Texts of its own that the adversary asked the encoder to embed."
"""What is counted of an adversary that has a public encoder."""


def protection(
    defenses: Sequence[Defense],
    texts: Sequence[str],
    secrets: tuple[Secret, ...],
    encode: Callable[[Sequence[str]], NDArray[np.float32]],
    seed: int,
) -> Mechanism:
    """Return what all defenses together do to embeddings, in the order given; each is set up behind those before it.

    Args:
        defenses: What the holder of the texts applies.
        texts: The holder's texts.
        secrets: What the holder wants to hide.
        encode: The encoder, without any defense.
        seed: Source of all randomness.

    Raises:
        Incompatible: One of them does not protect sentence embeddings.
        ModelRefused: From the mechanism, when what comes out are no finite numbers.
    """
    mechanisms: list[Mechanism] = []

    def protect(embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        for mechanism in mechanisms:
            embeddings = np.asarray(mechanism(embeddings, rng), dtype=np.float32)
        if not np.isfinite(embeddings).all():
            behind = ", ".join(defense.part_name() for defense in defenses) or "no defense"
            raise ModelRefused(f"Embeddings must be finite numbers. Behind {behind} some are NaN or infinite.")
        return embeddings

    for place, defense in enumerate(defenses):
        if not isinstance(defense, EmbeddingDefense):
            raise Incompatible(f"{defense.part_name()} does not protect sentence embeddings.")
        rng = generator(seed, "defense", place)

        def encoded(some: Sequence[str], rng: np.random.Generator = rng) -> NDArray[np.float32]:
            return protect(encode(some), rng)

        mechanisms.append(defense.mechanism(Holdings(tuple(texts), encoded(texts), secrets, encoded), rng))
    return protect


def released(
    texts: Sequence[str],
    encode: Callable[[Sequence[str]], NDArray[np.float32]],
    protect: Mechanism,
    seed: int,
    word_vectors: Callable[[Sequence[str]], NDArray[np.float32]] | None = None,
) -> SentenceEmbeddings:
    """Return what an adversary may touch: the embeddings of texts behind defenses, and the public encoder.

    Args:
        texts: The victims' texts.
        encode: The encoder, without any defense.
        protect: What the defenses do to embeddings.
        seed: Source of all randomness; the adversary's own embeddings are defended with other draws.
        word_vectors: What the first layer makes of words, for an adversary that may look into the encoder.
    """
    own = int(generator(seed, "adversary's release").integers(2**62))
    victims = protect(encode(texts), generator(seed, "release"))

    def protect_own(embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        return protect(embeddings, generator(own))

    if word_vectors is None:
        return SentenceEmbeddings(victims, encode, protect_own)
    return EncoderInternals(victims, encode, protect_own, word_vectors)
