"""The base of every model."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, ClassVar

from core.access import Access
from core.datasets import Dataset
from core.defenses import Defense
from core.registry import Part
from core.runtime.context import RunContext
from core.spec import Holds, parameter
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.text.contents import Words
from core.text.segments import Segmentation


class Model(Part):
    """A model with its hyper-parameters.

    Attributes:
        provides: The accesses that an adversary of it can have.
        reads: Contents that the dataset must hold; None for any that the attack reads.
    """

    kind: ClassVar[str] = "model"
    provides: ClassVar[frozenset[type[Access]]]
    reads: ClassVar[type | None] = None

    def check_under(self, defenses: Sequence[Defense], dataset: Dataset) -> None:
        """Check that it can be trained on a dataset under some defenses together.

        Raises:
            InvalidSpec: It cannot.
        """

    def check_ready(self) -> None:
        """Check, before anything is trained, that what it starts from can be read; nothing for most.

        Raises:
            ModelRefused: It cannot be read safely.
            ModelUnavailable: It is neither on this machine nor reachable.
        """


class TextModel(Model):
    """A model trained on documents as words; ``pieces`` says whether a unit is a whole text or a sentence."""

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
    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Return the target models of a job; each is trained once and then read from the store."""
