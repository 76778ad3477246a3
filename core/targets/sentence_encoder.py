"""Sentence encoders: a text in, one vector out."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import (
    Access,
    EncoderInternals,
    OpenEncoder,
    SentenceEmbeddings,
)
from core.defenses import TrainingOptions
from core.runtime.context import RunContext
from core.targets.model import Model
from core.targets.trained_target import Utility


class SentenceModel(Model):
    """A pretrained encoder: a text in, one vector out."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings})

    @abstractmethod
    def encode(self, texts: Sequence[str], context: RunContext) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension).

        Args:
            texts: What to embed; an empty text has an embedding too.
            context: Keeps each embedding as soon as it exists, and is told of the progress.
        """


class OpenSentenceModel(SentenceModel):
    """A pretrained encoder that anyone may look into."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    @abstractmethod
    def opened(self, context: RunContext) -> OpenEncoder:
        """Return the encoder as one sees it from inside.

        Args:
            context: Where it is trained, if it is not pretrained.
        """


class TrainedSentenceModel(OpenSentenceModel):
    """An encoder that is trained here, so that its owner can train it otherwise."""

    @abstractmethod
    def learnt(self, asked: TrainingOptions, context: RunContext) -> OpenEncoder:
        """Return the encoder, trained once ever.

        Args:
            asked: What defenses ask of its training.
            context: Where it is trained and kept.

        Raises:
            Incompatible: It cannot be trained so, or has nothing to learn from.
        """

    @abstractmethod
    def qualities(self, asked: TrainingOptions, context: RunContext) -> Mapping[str, Utility]:
        """Return, by name, how good the encoder so trained is at its own task."""

    def encode(self, texts: Sequence[str], context: RunContext) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), by the encoder without any defense."""
        return self.learnt(TrainingOptions(), context).encode(texts)

    def opened(self, context: RunContext) -> OpenEncoder:
        """Return the encoder without any defense as one sees it from inside."""
        return self.learnt(TrainingOptions(), context)
