"""Translators: how their target models are trained."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from core.access import (
    Access,
    ScoringTranslator,
    Translator,
)
from core.runtime.context import RunContext
from core.targets.model import Model
from core.targets.trained_target import Epoch, TrainedTarget
from core.targets.training_job import TranslationJob

OnEpoch = Callable[[Sequence[Sequence[Epoch]]], None]
"""Is told of each of some models how its passes have ended so far."""


class TranslationModel(Model):
    """A learner of translation, of which translations are seen, and how likely it finds them."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({Translator, ScoringTranslator})

    @abstractmethod
    def release(self, job: TranslationJob, context: RunContext, on_epoch: OnEpoch) -> list[TrainedTarget]:
        """Train translators, each only once ever, and return them; each gives a `ScoringTranslator`.

        Args:
            job: What each is trained on.
            context: Where they are trained and kept.
            on_epoch: Is told how the passes of each have ended so far, whenever one has.

        Raises:
            Incompatible: There are too few pairs, or defenses ask for something that this training cannot do.
        """
