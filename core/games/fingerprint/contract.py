"""Identification of encoders: what the adversary answers, and the base of its attacks."""

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
class Answer:
    """What an adversary says about every victim.

    Attributes:
        probabilities: (victims, candidates) how likely each encoder is.
        hidden: For each dimension that several encoders have, the hidden layer for the victims of that dimension, in
            their order.
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
    """An attack that tells which of several encoders made an embedding."""

    game: ClassVar[str] = "fingerprint"
    defensible: ClassVar[bool] = False
    needs: ClassVar[type[Access]] = SentenceEmbeddings

    @abstractmethod
    def encoders(self, model: Model) -> tuple[Encoder, ...]:
        """Return the candidates, the experiment's own model first.

        Raises:
            Incompatible: Two are the same, or the model is no encoder.
        """

    @abstractmethod
    def auxiliary(self) -> Dataset:
        """Return the dataset of the adversary's own texts, which must be another than the victims'."""

    @abstractmethod
    def identify(
        self,
        victims: Sequence[NDArray[np.float32]],
        oracles: Sequence[SentenceEmbeddings],
        context: RunContext,
        seed: int,
    ) -> Answer:
        """Say of each embedding which encoder made it.

        Args:
            victims: One vector each, as long as its encoder makes it.
            oracles: Access to each candidate.
            context: Where classifiers are trained.
            seed: Source of all randomness.

        Raises:
            Incompatible: There are too few external texts.
        """
