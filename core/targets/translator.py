"""Translators: how their target models are trained."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from core.access import (
    Access,
    ScoringTranslator,
    Translator,
)
from core.runtime.context import Lab
from core.targets.model import Model
from core.targets.trained_target import Pass, Release
from core.targets.training_job import BitextLessons

if TYPE_CHECKING:
    pass

Heard = Callable[[Sequence[Sequence[Pass]]], None]
"""Is told of each of some models how its passes have ended so far."""


class TranslationModel(Model):
    """A learner of translation, of which translations are seen, and how likely it finds them."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({Translator, ScoringTranslator})

    @abstractmethod
    def release(self, lessons: BitextLessons, lab: Lab, heard: Heard) -> list[Release]:
        """Train translators, each only once ever, and return them; each gives a `ScoringTranslator`.

        Args:
            lessons: What each is trained on.
            lab: Where they are trained and kept.
            heard: Is told how the passes of each have ended so far, whenever one has.

        Raises:
            Incompatible: There are too few pairs, or defenses ask for something that this training cannot do.
        """
