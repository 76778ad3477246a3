"""The base of every model."""

from abc import abstractmethod
from typing import Annotated, ClassVar

from core.access import (
    Access,
)
from core.datasets import Dataset
from core.registry import Part
from core.runtime.context import RunContext
from core.spec import Holds, parameter
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.text.contents import Words
from core.text.segments import Segmentation


class Model(Part):
    """A learner with its hyper-parameters.

    ``provides`` says what an adversary of the trained model may touch.
    """

    kind: ClassVar[str] = "model"
    provides: ClassVar[frozenset[type[Access]]]


class TextModel(Model):
    """A learner from documents as words.

    ``pieces`` says what it is given as one: whole texts, or their sentences.
    """

    pieces: ClassVar[Segmentation] = "texts"

    dictionary: Annotated[Dataset | None, Holds(Words)] = parameter(
        None,
        "Public dictionary; every word outside it becomes one dummy word. None keeps every word.",
        label="Dictionary",
    )

    def vocabulary(self) -> tuple[str, ...] | None:
        """Return the words of the dictionary, or None when every word is kept."""
        return None if self.dictionary is None else self.dictionary.load().words

    @abstractmethod
    def release(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Train the target models, each only once ever, and return them.

        Args:
            job: What each is trained on.
            context: Where they are trained and kept.
        """
