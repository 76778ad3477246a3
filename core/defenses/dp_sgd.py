"""Differentially private training (DP-SGD)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from core.access import Access, NetworkInternals
from core.access.language_models import TO_LANGUAGE_MODELS
from core.datasets import Dataset
from core.datasets.dictionaries.news_words import NewsWords
from core.defenses import PROMISED_OR_STOPPED, Defense, TrainingDefense, TrainingOptions
from core.defenses.early_stopping import EarlyStopping
from core.spec import Holds, parameter
from core.statistics.privacy import DELTA, Promise
from core.text.contents import Words


class DpSgd(TrainingDefense):
    """Clip each document’s gradient and add noise (Abadi et al. 2016, Algorithm 1; in Opacus, Yousefpour et al. 2021).

    Each step draws every document independently, takes a random stretch of at most the model's context, clips its
    gradient, and adds Gaussian noise to the sum. The accountant sizes the noise for epsilon over all epochs.

    - The guarantee is for each document, or for all documents of each owner together (``unit``; McMahan et al. 2018).
      For a person with m documents the first is more than m times weaker at the same delta, so epsilon 8 means nothing
      for a user of 100 messages. With owners, a step draws owners and clips the mean gradient of each one's documents,
      of at most 64; the batch then counts owners, and models of requests, which have none, refuse it.
    - For a model of requests a document is a request; a canary repeated R times has about 1 / R of the guarantee. Word
      vectors then come from public texts or are random.
    - The vocabulary is a public list, because a private one reveals words. The softmax is full, because an adaptive one
      has no per-document gradients. The model's own settings of both are ignored, and its batch counts documents.
    - The number of documents, or of owners, counts as public, and perplexities are outside the guarantee. Noise is
      pseudo-random and repeats with the seed; a deployment needs Opacus's secure mode.
    """

    title: ClassVar[str] = "differentially private training"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({NetworkInternals, *TO_LANGUAGE_MODELS})

    epsilon: float = parameter(
        8.0,
        "Privacy loss of each document, or owner, over the whole training, by the accountant; less hides more.",
        label="Epsilon",
        ge=0.5,
        le=1e6,
    )
    delta: float = parameter(
        DELTA,
        "Probability that the guarantee fails; well below 1 / number of documents.",
        label="Delta",
        ge=1e-12,
        le=1e-2,
        advanced=True,
    )
    norm: float = parameter(
        1.0,
        "Norm to which the gradient of each document, or owner, is clipped.",
        label="Clipping norm",
        ge=1e-3,
        le=1e3,
        advanced=True,
    )
    vocabulary: Annotated[Dataset, Holds(Words)] = parameter(
        NewsWords(), "Public list of the words that the model knows.", label="Public words", advanced=True
    )
    unit: Literal["document", "owner"] = parameter(
        "document",
        "Whom the guarantee protects: each document, or all documents of each owner together.",
        label="Protects each",
        advanced=True,
        implied="document",
    )

    def unfit(self, dataset: Dataset, others: Sequence[Defense] = ()) -> str:
        """Return a reason if documents to protect give the public words, or decide when training stops."""
        if any(isinstance(other, EarlyStopping) for other in others):
            return PROMISED_OR_STOPPED
        if set(dataset.sources()).isdisjoint(self.vocabulary.sources()):
            return ""
        name = self.vocabulary.part_name()
        return (
            f"{self.part_name()} needs public words, and those of {name} come from {dataset.part_name()} itself. "
            "Choose common_words for 'vocabulary'."
        )

    def on_training(self) -> TrainingOptions:
        """Return the guarantee."""
        words = self.vocabulary.load().words
        return TrainingOptions(promise=Promise(self.epsilon, self.delta, self.norm, words, self.unit))
