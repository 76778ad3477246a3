"""Kinds of defenses by what they change: data, training or release."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings, WordVectors
from core.datasets import Dataset
from core.errors import Incompatible, ModelRefused
from core.networks.word_embedding import Embedding
from core.registry import Part
from core.statistics.privacy import Promise
from core.text.secrets import Secret

PROMISED_OR_STOPPED = (
    "Early stopping would look at data that the promise of dp_sgd does not cover. Drop one of the two defenses, and "
    "choose the number of epochs beforehand."
)
"""Why nothing is trained privately with early stopping."""


@dataclass(frozen=True)
class TrainingOptions:
    """What defenses change in training; None leaves the model's own setting.

    Attributes:
        promise: The differential privacy guarantee, of each document or owner.
        dropout: Dropout of the inputs and of the hidden units.
        patience: Epochs without a smaller validation loss before early stopping, which restores the best weights.
        characters: Whether words have character embeddings besides.
        adversary: Weight of an adversary in training that predicts words from the embedding.
        dropped: k, where one in k tokens is left out of the loss, the same in every copy of a passage.
        distinct: Words of a run, and the share of its runs in documents before it from which on a document is left out.
    """

    promise: Promise | None = None
    dropout: tuple[float, float] | None = None
    patience: int | None = None
    characters: bool | None = None
    adversary: float | None = None
    dropped: int | None = None
    distinct: tuple[int, float] | None = None

    def combined(self, other: "TrainingOptions") -> "TrainingOptions":
        """Return the options of both.

        Raises:
            Incompatible: Both set the same option, or the options contradict each other.
        """
        changes = {field.name: value for field in fields(other) if (value := getattr(other, field.name)) is not None}
        for name in changes:
            if getattr(self, name) is not None:
                raise Incompatible(f"Two defenses set the {name} of training, which has one value only. Drop one.")
        both = replace(self, **changes)
        if both.promise is not None and both.patience is not None:
            raise Incompatible(PROMISED_OR_STOPPED)
        return both


class Defense(Part):
    """A change to the data, to the training or to what is released.

    Attributes:
        protects: The accesses that it weakens; it is offered for attacks that need one of them.
        stops_training: Whether it says when training ends.
    """

    kind: ClassVar[str] = "defense"
    protects: ClassVar[frozenset[type[Access]]]
    stops_training: ClassVar[bool] = False

    @property
    def named(self) -> str:
        """The title with what tells it from others of its kind: its first parameter, and each that is changed."""
        shown = []
        for position, (name, field) in enumerate(type(self).model_fields.items()):
            value = getattr(self, name)
            if isinstance(value, int | float | str) and (position == 0 or value != field.get_default()):
                written = f"{value:,g}" if isinstance(value, float) else str(value)
                shown.append(f"{field.title or name.replace('_', ' ')} {written}".lower())
        return f"{self.title} ({', '.join(shown)})" if shown else self.title

    def unfit(self, dataset: Dataset, others: "Sequence[Defense]" = ()) -> str:
        """Return why it cannot protect a dataset beside other defenses; empty if it can."""
        return ""


class DataDefense(Defense):
    """A choice of training documents."""

    @abstractmethod
    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        """Return the documents of one user that are trained on."""


class TrainingDefense(Defense):
    """A change to how a model is trained."""

    @abstractmethod
    def on_training(self) -> TrainingOptions:
        """Return the options of training."""


def training_options(defenses: Sequence[Defense]) -> TrainingOptions:
    """Return the combined training options of defenses.

    Raises:
        Incompatible: The defenses contradict each other.
    """
    options = TrainingOptions()
    for defense in defenses:
        if isinstance(defense, TrainingDefense):
            options = options.combined(defense.on_training())
    return options


class VectorDefense(Defense):
    """A change to word vectors before they are released."""

    protects: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors})

    @abstractmethod
    def on_vectors(self, embedding: Embedding, rng: np.random.Generator) -> Embedding:
        """Return the vectors to release."""


def defend_data(documents: Sequence[int], defenses: Sequence[Defense], rng: np.random.Generator) -> Sequence[int]:
    """Return the documents of one user that all defenses, applied in order, leave to train on."""
    for defense in defenses:
        if isinstance(defense, DataDefense):
            documents = defense.on_data(documents, rng)
    return documents


def defend_vectors(embedding: Embedding, defenses: Sequence[Defense], rng: np.random.Generator) -> Embedding:
    """Return word vectors after all defenses, applied in order."""
    for defense in defenses:
        if isinstance(defense, VectorDefense):
            embedding = defense.on_vectors(embedding, rng)
    return embedding


class Mechanism:
    """What a defense does to embeddings at release; it can be sent to other processes.

    Attributes:
        random: Whether two draws differ.
        coarsens: Whether it moves each coordinate to the nearest of some steps, and does nothing else.
    """

    random: ClassVar[bool] = False
    coarsens: ClassVar[bool] = False

    @property
    def variance(self) -> float | None:
        """Variance of the noise added to each coordinate; None where more is done than to add noise."""
        return None

    def log_likelihood(
        self, released: NDArray[np.float32], expected: NDArray[np.float32]
    ) -> NDArray[np.float64] | None:
        """Return how likely noise makes each vector of each embedding, (vectors, texts), as a log density.

        Up to a constant. None where more is done than to add noise, or where the cosine tells as much: behind Gaussian
        noise, it orders embeddings of one length as their likelihood does.

        Args:
            released: (vectors, dimension) vectors with noise.
            expected: (texts, dimension) embeddings without noise.
        """
        return None

    def query(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Transform queries, embedded, as an authorised client does before a search; most defenses change nothing."""
        return embeddings

    @abstractmethod
    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings to release, (texts, dimension)."""


@dataclass(frozen=True)
class Chain(Mechanism):
    """What several defenses do one after the other.

    Attributes:
        mechanisms: What each does.
        names: Their names, for messages.
    """

    mechanisms: tuple[Mechanism, ...]
    names: str

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether two draws differ."""
        return any(mechanism.random for mechanism in self.mechanisms)

    @property
    def variance(self) -> float | None:
        """Variance of the noise added to each coordinate; None where more is done than to add noise."""
        variances = [mechanism.variance for mechanism in self.mechanisms]
        known = [variance for variance in variances if variance is not None]
        return sum(known) if len(known) == len(variances) else None

    def log_likelihood(
        self, released: NDArray[np.float32], expected: NDArray[np.float32]
    ) -> NDArray[np.float64] | None:
        """Return how likely the noise of one mechanism makes each vector of each embedding, (vectors, texts).

        What comes before the noise is done to the embeddings. After it, only steps too small to hide it may follow:
        elsewhere None.
        """
        noisy = [number for number, mechanism in enumerate(self.mechanisms) if mechanism.random]
        if len(noisy) != 1 or not all(mechanism.coarsens for mechanism in self.mechanisms[noisy[0] + 1 :]):
            return None
        for mechanism in self.mechanisms[: noisy[0]]:
            expected = mechanism(expected, np.random.default_rng(0))  # draws nothing
        return self.mechanisms[noisy[0]].log_likelihood(released, expected)

    def query(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Transform the embeddings of queries as an authorised client does before a search."""
        for mechanism in self.mechanisms:
            embeddings = mechanism.query(embeddings)
        return embeddings

    def followed(self, mechanism: Mechanism) -> "Chain":
        """Return the chain with one more mechanism at its end."""
        return Chain((*self.mechanisms, mechanism), self.names)

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings to release.

        Raises:
            ModelRefused: Some are not finite numbers.
        """
        for mechanism in self.mechanisms:
            embeddings = np.asarray(mechanism(embeddings, rng), dtype=np.float32)
        if not np.isfinite(embeddings).all():
            raise ModelRefused(f"Embeddings must be finite numbers. Behind {self.names} some are NaN or infinite.")
        return embeddings


@dataclass(frozen=True)
class Holdings:
    """What the holder of the texts has when it sets up a defense.

    Attributes:
        texts: Its texts.
        embeddings: (texts, dimension) their embeddings after the preceding defenses.
        secrets: Secrets to hide.
        encode: The encoder with the preceding defenses.
    """

    texts: tuple[str, ...]
    embeddings: NDArray[np.float32]
    secrets: tuple[Secret, ...]
    encode: Callable[[Sequence[str]], NDArray[np.float32]]


class EmbeddingDefense(Defense):
    """A change to sentence embeddings before they are released."""

    protects: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})
    keyed: ClassVar[bool] = False
    """Whether it has a secret key, without which an adversary cannot defend embeddings of its own texts."""

    @abstractmethod
    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Set the defense up and return its mechanism."""
