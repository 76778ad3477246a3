"""Training without duplicates."""

from typing import ClassVar

from core.access import Access
from core.access.language_models import TO_LANGUAGE_MODELS
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class Deduplication(TrainingDefense):
    """Train on the first of documents that repeat each other (Lee et al. 2022; Kandpal et al. 2022).

    A document is left out if a share of its runs of words stand in documents before it. What stands in the training
    text often is recited most, so this acts on recitation; a document that stands there once is as well protected as
    before. The papers also cut repeated passages out of longer documents; here documents are left out as a whole.
    """

    title: ClassVar[str] = "de-duplication"
    protects: ClassVar[frozenset[type[Access]]] = TO_LANGUAGE_MODELS

    run: int = parameter(
        10, "Words of a run that is looked for elsewhere.", label="Repeated words", unit="words", ge=2, le=100
    )
    share: float = parameter(
        0.5, "Share of its runs from which on a document repeats others.", label="Repeated share", gt=0, le=1
    )

    def on_training(self) -> TrainingOptions:
        """Return what counts as a duplicate."""
        return TrainingOptions(distinct=(self.run, self.share))
