"""Documents with classes, for models that have a classifier on top of their embedding."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.networks.document_classifier import Labelled
from core.runtime.seeding import generator
from core.targets.document_model import DocumentModel
from core.targets.model import TextModel
from core.text.contents import Documents
from core.text.corpus import Corpus


@dataclass(frozen=True)
class Labels:
    """What the classifiers of trainer and adversary learn from.

    Attributes:
        positive: Whether each document is of the positive class; of the dataset, or of the classifier's own documents.
        trainer: The trainer's half of the classifier's own documents; None where it shares the embedding's.
        adversary: The adversary's half.
    """

    positive: NDArray[np.bool_]
    trainer: Labelled | None = None
    adversary: Labelled | None = None

    @property
    def commoner(self) -> float:
        """Share of the majority class."""
        share = float(self.positive.mean())
        return max(share, 1 - share)


def labels(documents: Documents, model: TextModel, seed: int) -> Labels | None:
    """Return the documents with classes of a model, divided at random where they are not the embedding's own.

    There are none, and None is returned, where the model has no classifier.
    """
    if not isinstance(model, DocumentModel):
        return None
    labelled = model.labelled(documents)
    positive = model.positives(labelled)
    if labelled is documents:
        return Labels(positive)
    order = generator(seed, "classifier's documents").permutation(len(labelled))
    trainer, adversary = (
        Labelled(Corpus.encode([labelled.texts[row] for row in half], model.vocabulary()), positive[half])
        for half in (np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :]))
    )
    return Labels(positive, trainer, adversary)
