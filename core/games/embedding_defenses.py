"""The release step of the games on embeddings: split the texts, embed and defend them, let the adversaries play."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

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
from core.result import Estimate
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.targets import downstream_accuracy
from core.targets.sentence_encoder import OpenSentenceModel, SentenceModel, TrainedSentenceModel
from core.text.contents import Documents
from core.text.secrets import Secret
from core.text.segments import Segmentation, segmented
from core.text.split import split_texts

FEWEST_VICTIMS = 5

AdversaryKind = Literal["adaptive", "naive"]
"""An adversary that defends its own embeddings like the victims' before it prepares, or one that does not."""

Answered = TypeVar("Answered")
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts in, embeddings out, (texts, dimension)."""


@dataclass(frozen=True)
class Segments:
    """Texts or sentences of a dataset, split between the adversary and the holder.

    Attributes:
        texts: All segments.
        positions: (segments, 2) row of the text and number of the sentence, -1 for a whole text.
        auxiliary: The adversary's segments.
        holder: Numbers of the holder's segments, in rising order.
        rng: Source of the draws that follow the split.
    """

    texts: list[str]
    positions: NDArray[np.int64]
    auxiliary: list[str]
    holder: NDArray[np.int64]
    rng: np.random.Generator

    @classmethod
    def split(cls, documents: Documents, segmentation: Segmentation, share: float, seed: int) -> "Segments":
        """Cut texts into segments, and give a random share of the different ones to the adversary."""
        texts, positions = segmented(documents, segmentation)
        rng = generator(seed, "deal")
        auxiliary, holder = split_texts(texts, rng.permutation(len(texts)), share)
        return cls(texts, positions, [texts[number] for number in auxiliary], holder, rng)

    def victims(self, eligible: NDArray[np.int64], most: int) -> NDArray[np.int64]:
        """Draw at most some victims among the holder's eligible segments; return their numbers, in rising order."""
        return np.sort(self.rng.permutation(self.holder[eligible])[:most])


class Release:
    """What the holder of texts releases: their embeddings, after all defenses.

    Defenses of training come first: they change the encoder. Defenses of embeddings follow in the order given; each is
    set up on the output of those before it.
    """

    def __init__(
        self,
        model: SentenceModel,
        defenses: Sequence[Defense],
        texts: Sequence[str],
        secrets: Sequence[Secret],
        seed: int,
        context: RunContext,
    ) -> None:
        """Train the encoder if a defense asks for it, and set the defenses up.

        Args:
            model: The encoder.
            defenses: What the holder applies.
            texts: The holder's texts.
            secrets: What the holder wants to hide.
            seed: Source of all randomness.
            context: Where the encoder is trained, if it is.

        Raises:
            Incompatible: A defense does not protect sentence embeddings, or cannot change the encoder's training.
            ModelRefused: Some embeddings are not finite numbers.
        """
        self._model, self._defenses, self._seed, self._context = model, tuple(defenses), seed, context
        self._retrained: OpenEncoder | None = None
        if (options := training_options(defenses)) != TrainingOptions():
            if not isinstance(model, TrainedSentenceModel):
                raise Incompatible(f"{model.part_name()} is pretrained: no defense can change its training.")
            self._retrained = model.train_encoder(options, context)
        self._encode = self._retrained.encode if self._retrained else encoding(model, context)
        self._protect = _protection(self._defenses, texts, tuple(secrets), self._encode, seed)

    @property
    def adversary_seed(self) -> int:
        """Source of the adversary's own randomness; tells nothing about the game's seed."""
        return int(generator(self._seed, "adversary").integers(2**62))

    def embed(self, texts: Sequence[str], purpose: str) -> NDArray[np.float32]:
        """Return the defended embeddings of texts, (texts, dimension).

        Args:
            texts: What to embed.
            purpose: Name of the random draws; those of other purposes are independent.

        Raises:
            ModelRefused: Some embeddings are not finite numbers.
        """
        return self._protect(self._encode(texts), generator(self._seed, purpose))

    def access(self, victims: Sequence[str], *, opened: bool = False) -> SentenceEmbeddings:
        """Return what an adversary may query: the victims' defended embeddings, and the public encoder.

        Nothing in it refers to this release or to its seed.

        Args:
            victims: The victims' texts.
            opened: Whether the adversary may look into the encoder.

        Raises:
            Incompatible: The encoder cannot be opened.
        """
        encode, protect = self._encode, self._protect
        draws = int(generator(self._seed, "adversary's release").integers(2**62))
        released = self.embed(victims, "release")

        def encode_defended(texts: Sequence[str]) -> NDArray[np.float32]:
            return protect(encode(texts), generator(draws))

        plain = encoding(self._model, self._context)
        if not opened:
            return SentenceEmbeddings(released, plain, encode_defended)
        return EncoderInternals(released, plain, encode_defended, self._opened())

    def _opened(self) -> OpenEncoder:
        if self._retrained is not None:
            return self._retrained
        if not isinstance(self._model, OpenSentenceModel):
            raise Incompatible(f"The inside of {self._model.part_name()} is not accessible.")
        return self._model.open_encoder(self._context)

    def attacked(
        self, access: SentenceEmbeddings, respond: Callable[[AdversaryKind, bool], Answered]
    ) -> tuple[dict[AdversaryKind, Answered], Estimate]:
        """Let the adaptive adversary play, then the naive one where there are defenses.

        Args:
            access: What both may query.
            respond: Lets an adversary play, told whether it defends its own embeddings; returns its answer.

        Returns:
            The answers, and the queries of the adaptive adversary.
        """
        answers: dict[AdversaryKind, Answered] = {"adaptive": respond("adaptive", bool(self._defenses))}
        queries = Estimate.queries(access.queries, "Texts of its own that the adversary asked the encoder to embed.")
        if self._defenses:
            answers["naive"] = respond("naive", False)
        return answers, queries

    def utility(self, labels: Sequence[str], embeddings: Callable[[], NDArray[np.float32]]) -> dict[str, Estimate]:
        """Return the downstream accuracy as the estimate ``utility``, or none where there are fewer than two classes.

        Args:
            labels: Class of each text, empty where it has none.
            embeddings: Returns the released embeddings of the texts, (texts, dimension).
        """
        if len(set(labels) - {""}) < 2:
            return {}
        self._context.progress.stage("Measuring downstream accuracy")
        measured = downstream_accuracy.measure(embeddings(), labels, generator(self._seed, "utility"))
        return {} if measured is None else {"utility": measured}


def encoding(model: SentenceModel, context: RunContext) -> Encode:
    """Return the public encoder, without any defense."""
    return lambda texts: model.encode(texts, context)


def _protection(
    defenses: tuple[Defense, ...], texts: Sequence[str], secrets: tuple[Secret, ...], encode: Encode, seed: int
) -> Mechanism:
    """Return what all defenses of embeddings do together."""
    mechanisms: list[Mechanism] = []

    def protect(embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        for mechanism in mechanisms:
            embeddings = np.asarray(mechanism(embeddings, rng), dtype=np.float32)
        if not np.isfinite(embeddings).all():
            names = ", ".join(defense.part_name() for defense in defenses) or "no defense"
            raise ModelRefused(f"Embeddings must be finite numbers. Behind {names} some are NaN or infinite.")
        return embeddings

    for position, defense in enumerate(defenses):
        if isinstance(defense, TrainingDefense):
            continue
        if not isinstance(defense, EmbeddingDefense):
            raise Incompatible(f"{defense.part_name()} does not protect sentence embeddings.")
        rng = generator(seed, "defense", position)

        def encode_defended(some: Sequence[str], rng: np.random.Generator = rng) -> NDArray[np.float32]:
            return protect(encode(some), rng)

        holdings = Holdings(tuple(texts), encode_defended(texts), secrets, encode_defended)
        mechanisms.append(defense.mechanism(holdings, rng))
    return protect
