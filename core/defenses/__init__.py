"""What a trainer can do against an attack."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings, WordVectors
from core.datasets import Dataset
from core.errors import Incompatible
from core.networks.word_embedding import Embedding
from core.registry import Part
from core.statistics.privacy import Promise
from core.text.secrets import Secret


@dataclass(frozen=True)
class TrainingOptions:
    """What training does to protect what it learns from; each field by default leaves it as the model has it.

    Attributes:
        promise: What is promised to each document, where training is differentially private.
        dropout: Shares of the inputs and of the hidden units that are left out at each step.
        patience: Passes without a smaller validation loss after which training ends, with the weights of the smallest.
        characters: Whether a word is read by its characters too.
        adversary: Weight of an adversary that is trained alongside to read words back, and that training works against.
    """

    promise: Promise | None = None
    dropout: tuple[float, float] | None = None
    patience: int | None = None
    characters: bool | None = None
    adversary: float | None = None

    def joined(self, other: "TrainingOptions") -> "TrainingOptions":
        """Return what both ask for.

        Raises:
            Incompatible: They ask for different things of one kind, or for things that do not go together.
        """
        asked = {field.name: value for field in fields(other) if (value := getattr(other, field.name)) is not None}
        for name in asked:
            if getattr(self, name) is not None:
                raise Incompatible(f"Two defenses set the {name} of training, which can follow one only. Drop one.")
        both = replace(self, **asked)
        if both.promise is not None and both.patience is not None:
            raise Incompatible(
                "When to stop would be chosen by data that the promise does not cover. Drop one of the two defenses, "
                "and choose the number of passes beforehand."
            )
        return both


class Defense(Part):
    """A change to the data, to the training or to what is released, as its kind of defense says.

    ``protects`` are the accesses it weakens: a defense is offered for attacks that need one of them.
    """

    kind: ClassVar[str] = "defense"
    protects: ClassVar[frozenset[type[Access]]]

    def unfit(self, dataset: Dataset) -> str:
        """Say why it cannot protect a dataset; empty when it can."""
        return ""


class DataDefense(Defense):
    """A choice of the documents that are trained on."""

    @abstractmethod
    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        """Return those documents of one user that are trained on."""


class TrainingDefense(Defense):
    """A change to how a model is trained."""

    @abstractmethod
    def on_training(self) -> TrainingOptions:
        """Return what is asked of training."""


def training_options(defenses: Sequence[Defense]) -> TrainingOptions:
    """Return what some defenses ask of training together.

    Raises:
        Incompatible: What they ask for does not go together.
    """
    asked = TrainingOptions()
    for defense in defenses:
        if isinstance(defense, TrainingDefense):
            asked = asked.joined(defense.on_training())
    return asked


class VectorDefense(Defense):
    """A change to word vectors before they are released."""

    protects: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors})

    @abstractmethod
    def on_vectors(self, embedding: Embedding, rng: np.random.Generator) -> Embedding:
        """Return what is released in place of the trained vectors."""


def defend_vectors(embedding: Embedding, defenses: Sequence[Defense], rng: np.random.Generator) -> Embedding:
    """Return what defenses make of word vectors, one after the other."""
    for defense in defenses:
        if isinstance(defense, VectorDefense):
            embedding = defense.on_vectors(embedding, rng)
    return embedding


Mechanism = Callable[[NDArray[np.float32], np.random.Generator], NDArray[np.float32]]
"""Embeddings in, (texts, dimension), what is released in their place out."""


@dataclass(frozen=True)
class Holdings:
    """What the holder of the texts knows when it sets up a defense.

    Attributes:
        texts: Its texts.
        embeddings: (texts, dimension) their embeddings, after the defenses applied before this one.
        secrets: What it wants to hide.
        encode: The encoder with the defenses applied before this one.
    """

    texts: tuple[str, ...]
    embeddings: NDArray[np.float32]
    secrets: tuple[Secret, ...]
    encode: Callable[[Sequence[str]], NDArray[np.float32]]


class EmbeddingDefense(Defense):
    """A change to sentence embeddings before they are released."""

    protects: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    @abstractmethod
    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Set the defense up and return what it does to embeddings."""
