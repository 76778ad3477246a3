"""Identification of encoders: the briefing and the answer of an adversary, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.datasets import Dataset
from core.games.attack import Attack
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.targets.model import Model


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides access to the candidates.

    Attributes:
        victims: The embedding of each victim, as long as its encoder makes it.
        seed: Source of its own randomness; tells nothing about the game's.
    """

    victims: tuple[NDArray[np.float32], ...]
    seed: int


@dataclass(frozen=True)
class Answer:
    """An adversary's prediction for every victim.

    Attributes:
        probabilities: (victims, candidates) how likely each encoder is.
        hidden: For each dimension that several encoders share, the classifier's hidden layer for the victims of that
            dimension, in their order; empty for an attack without such a layer.
    """

    probabilities: NDArray[np.float32]
    hidden: Mapping[int, NDArray[np.float32]]


def labels(encoders: Sequence[Encoder]) -> tuple[str, ...]:
    """Return a name for each encoder: the source and, where it occurs with several, the pooling.

    >>> labels([Encoder(), Encoder(pooling="last")])
    ('small_bert, mean', 'small_bert, last')
    """
    poolings: dict[str, set[str]] = {}
    for encoder in encoders:
        poolings.setdefault(encoder.source, set()).add(encoder.pooling)
    return tuple(
        f"{encoder.source}, {encoder.pooling}" if len(poolings[encoder.source]) > 1 else encoder.source
        for encoder in encoders
    )


class FingerprintAttack(Attack):
    """An attack that identifies which of several encoders made an embedding."""

    game: ClassVar[str] = "fingerprint"
    defensible: ClassVar[bool] = False
    needs: ClassVar[type[Access]] = SentenceEmbeddings

    def returned(self) -> str:
        """Return what a query of a candidate returns; which of them made a victim's embedding, no query tells."""
        return "the embedding of any text by each candidate encoder"

    @abstractmethod
    def encoders(self, model: Model) -> tuple[Encoder, ...]:
        """Return the candidates, the experiment's own model first.

        Raises:
            Incompatible: Two are the same, or the model is no encoder.
        """

    @abstractmethod
    def auxiliary(self) -> Dataset:
        """Return the dataset of the adversary's texts, which must differ from the victims'."""

    @abstractmethod
    def identify(self, briefing: Briefing, candidates: Sequence[SentenceEmbeddings], context: RunContext) -> Answer:
        """Predict the encoder behind each embedding.

        Raises:
            Incompatible: There are too few external texts.
        """
