"""Sentence encoders: a text in, one vector out."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings
from core.defenses import TrainingOptions
from core.encoders.opened import OpenEncoder
from core.runtime.context import RunContext
from core.targets.model import Model
from core.targets.trained_target import Utility


class SentenceModel(Model):
    """An encoder: a text in, one vector out; ``known`` tells whether the adversary can run it."""

    known: ClassVar[bool] = True
    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings})

    @abstractmethod
    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), also of empty ones; ``whose`` is for progress reports."""

    def encode_queries(self, queries: Sequence[str], context: RunContext) -> NDArray[np.float32]:
        """Return the embeddings of what is searched for, (queries, dimension): as texts unless its makers say other."""
        return self.encode(queries, context, "queries")


class OpenSentenceModel(SentenceModel):
    """An encoder whose weights are public."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    @abstractmethod
    def open_encoder(self, context: RunContext) -> OpenEncoder:
        """Return the encoder with its weights, after training it if it is not pretrained."""


class TrainedSentenceModel(OpenSentenceModel):
    """An encoder that is trained here, so that defenses can change its training."""

    @abstractmethod
    def train_encoder(self, options: TrainingOptions, context: RunContext) -> OpenEncoder:
        """Return the encoder; it is trained once and then read from the store.

        Raises:
            Incompatible: The training does not support an option, or has no data.
        """

    @abstractmethod
    def utilities(self, options: TrainingOptions, context: RunContext) -> Mapping[str, Utility]:
        """Return by name how well the encoder trained with these options performs at its own task."""

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), from the encoder without defenses."""
        return self.open_encoder(context).encode(texts)

    def open_encoder(self, context: RunContext) -> OpenEncoder:
        """Return the encoder without defenses, with its weights."""
        return self.train_encoder(TrainingOptions(), context)
