"""Defenses of sentence embeddings, one behind the other."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import EncoderInternals, OpenEncoder, SentenceEmbeddings
from core.defenses import (
    Defense,
    EmbeddingDefense,
    Holdings,
    Mechanism,
    TrainingDefense,
    TrainingOptions,
    training_options,
)
from core.errors import Incompatible, ModelRefused
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.targets.sentence_encoder import OpenSentenceModel, SentenceModel, TrainedSentenceModel
from core.text.secrets import Secret

ASKED = "Texts of its own that the adversary asked the encoder to embed."
"""What is counted of an adversary that has a public encoder."""


Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts in, embeddings out, (texts, dimension)."""


def served(model: SentenceModel, defenses: Sequence[Defense], context: RunContext) -> Encode:
    """Return what embeds texts, trained as defenses ask, before any of them changes an embedding.

    Raises:
        Incompatible: The encoder is not trained here, or not so.
    """
    asked = training_options(defenses)
    if asked == TrainingOptions():
        return lambda texts: model.encode(texts, context)
    return _retrained(model, asked, context).encode


def _opened(model: SentenceModel, defenses: Sequence[Defense], context: RunContext) -> OpenEncoder:
    asked = training_options(defenses)
    if asked != TrainingOptions():
        return _retrained(model, asked, context)
    if not isinstance(model, OpenSentenceModel):
        raise Incompatible(f"Nobody can look into {model.part_name()}.")
    return model.open_encoder(context)


def _retrained(model: SentenceModel, asked: TrainingOptions, context: RunContext) -> OpenEncoder:
    if not isinstance(model, TrainedSentenceModel):
        raise Incompatible(f"{model.part_name()} is pretrained: no defense can change its training.")
    return model.train_encoder(asked, context)


def protection(
    defenses: Sequence[Defense],
    texts: Sequence[str],
    secrets: tuple[Secret, ...],
    encode: Encode,
    seed: int,
) -> Mechanism:
    """Return what all defenses together do to embeddings, in the order given; each is set up behind those before it.

    Defenses of training do nothing here: they made the encoder what it is.

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
        if isinstance(defense, TrainingDefense):
            continue
        if not isinstance(defense, EmbeddingDefense):
            raise Incompatible(f"{defense.part_name()} does not protect sentence embeddings.")
        rng = generator(seed, "defense", place)

        def encoded(some: Sequence[str], rng: np.random.Generator = rng) -> NDArray[np.float32]:
            return protect(encode(some), rng)

        mechanisms.append(defense.mechanism(Holdings(tuple(texts), encoded(texts), secrets, encoded), rng))
    return protect


def released(
    texts: Sequence[str],
    model: SentenceModel,
    defenses: Sequence[Defense],
    protect: Mechanism,
    seed: int,
    context: RunContext,
    *,
    opened: bool = False,
) -> SentenceEmbeddings:
    """Return what an adversary may touch: the embeddings of texts behind defenses, and the public encoder.

    Args:
        texts: The victims' texts.
        model: The encoder.
        defenses: What protects it.
        protect: What they do to embeddings.
        seed: Source of all randomness; the adversary's own embeddings are defended with other draws.
        context: Where the encoder is trained, if it is.
        opened: Whether the adversary may look into the encoder.

    Raises:
        Incompatible: Nobody can look into the encoder, or a defense cannot change its training.
    """
    own = int(generator(seed, "adversary's release").integers(2**62))
    encode = served(model, defenses, context)
    victims = protect(encode(texts), generator(seed, "release"))

    def plain(some: Sequence[str]) -> NDArray[np.float32]:
        return model.encode(some, context)

    def protected(some: Sequence[str]) -> NDArray[np.float32]:
        return protect(encode(some), generator(own))

    if not opened:
        return SentenceEmbeddings(victims, plain, protected)
    return EncoderInternals(victims, plain, protected, _opened(model, defenses, context))
