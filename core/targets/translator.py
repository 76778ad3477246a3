"""Translators as target models."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from core.access import Access, ScoringTranslator, Translator
from core.runtime.context import RunContext
from core.targets.model import Model
from core.targets.trained_target import Epoch, TrainedTarget
from core.targets.training_job import TranslationJob

OnEpoch = Callable[[Sequence[Sequence[Epoch]]], None]
"""Called after each epoch with the epochs so far of every model."""


class TranslationModel(Model):
    """A translator that returns translations and their log-probabilities."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({Translator, ScoringTranslator})

    @abstractmethod
    def train_targets(self, job: TranslationJob, context: RunContext, on_epoch: OnEpoch) -> list[TrainedTarget]:
        """Return the translators of a job, each with a `ScoringTranslator`; each is trained once and then stored.

        Raises:
            Incompatible: There are too few pairs, or this training does not support a defense.
        """
