"""What a trainer can do against an attack."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings, WordVectors
from core.datasets import Dataset
from core.embedding import Embedding
from core.recipe import Recipe
from core.registry import Part
from core.secret import Secret


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
    def on_training(self) -> Recipe:
        """Return what is asked of training."""


def recipe(defenses: Sequence[Defense]) -> Recipe:
    """Return what some defenses ask of training together.

    Raises:
        Incompatible: What they ask for does not go together.
    """
    asked = Recipe()
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


def shielded(embedding: Embedding, defenses: Sequence[Defense], rng: np.random.Generator) -> Embedding:
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
