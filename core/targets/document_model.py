"""Document classifiers on word vectors as target models."""

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, DocumentLabels
from core.datasets import Dataset
from core.errors import Incompatible, excerpt
from core.networks.document_classifier import DocumentClassifier, Labelled
from core.networks.word_embedding import Embedding
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import TrainingJob, held_out
from core.targets.word_vectors import PredictiveModel
from core.text.contents import Documents

_SMALLEST_SET = 20
"""Documents without which no classifier is trained."""
_NAMED = 5
"""Classes that an error names."""


class DocumentModel(PredictiveModel):
    """A word embedding with a binary document classifier on top, which returns labels only.

    The classifier is trained on ``texts``, or on the documents of the embedding, which then must have classes. It
    separates the class ``positive`` from all others.
    """

    provides: ClassVar[frozenset[type[Access]]] = frozenset({DocumentLabels})

    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Documents with classes that the classifier is trained on; none means the documents of the embedding.",
        label="Classifier’s documents",
    )
    positive: str = parameter(
        "spam", "The class to separate from all others.", label="Class looked for", min_length=1, max_length=60
    )
    training: int = parameter(
        3000,
        "Documents that the classifier is trained on, if it has other documents than the embedding.",
        label="Classifier’s training set",
        unit="documents",
        ge=_SMALLEST_SET,
        le=1_000_000,
    )

    def labelled(self, embedded: Documents) -> Documents:
        """Return the documents for training and testing the classifier: ``texts``, or else those of the embedding.

        Raises:
            Incompatible: The class ``positive`` is missing, or is the only class.
        """
        documents: Documents = embedded if self.texts is None else self.texts.load()
        name = "the dataset" if self.texts is None else self.texts.part_name()
        classes = sorted(set(documents.labels))
        if self.positive not in classes or len(classes) < 2:
            fits = {"model.positive": min(classes, key=documents.labels.count)} if len(classes) > 1 else None
            named = ", ".join(repr(excerpt(name)) for name in classes[:_NAMED])
            more = f" and {len(classes) - _NAMED:,} more" if len(classes) > _NAMED else ""
            present = f"the classes {named}{more}" if classes else "no classes"
            raise Incompatible(
                f"{self.part_name()} needs documents of the class {self.positive!r} and of others; {name} has "
                f"{present}. Choose another class for 'positive', or other 'texts'.",
                fits,
            )
        return documents

    def positives(self, documents: Documents) -> NDArray[np.bool_]:
        """Return which documents have the class ``positive``, (documents,)."""
        return np.array([label == self.positive for label in documents.labels], dtype=np.bool_)

    def training_rows(
        self, labelled: Labelled, selection: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return the rows that one classifier is trained on: the embedding's if ``texts`` is none, or random ones.

        Raises:
            Incompatible: There are too few documents.
        """
        if self.texts is None:
            return selection
        if self.training >= len(labelled):
            most = 4 * len(labelled) // 5
            fits = {"model.training": most} if most >= _SMALLEST_SET else {}
            raise Incompatible(
                f"Trainer and adversary have {len(labelled)} documents each for their classifiers, and some must be "
                f"held out for testing. A training set of {self.training} does not fit; "
                f"{f'{most} does' if fits else 'take documents that are more'}.",
                fits,
            )
        return rng.choice(len(labelled), self.training, replace=False)

    @abstractmethod
    def classifier(self, embedding: Embedding, documents: Labelled, rng: np.random.Generator) -> DocumentClassifier:
        """Return a classifier on top of an embedding, trained on documents with classes."""

    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Return embeddings with classifiers on top, with access to the labels."""
        embeddings = self.embeddings(job, context)
        context.progress.stage("Training the target classifiers", total=len(embeddings))
        targets = []
        for number, embedding in enumerate(embeddings):
            targets.append(self._train_classifier(number, embedding, job))
            context.progress.advance()
        return targets

    def _train_classifier(self, number: int, embedding: Embedding, job: TrainingJob) -> TrainedTarget:
        """Train the classifier of a target model and measure its accuracy (Mahloujifar et al. 2021, Table 3)."""
        if job.labelled is None:
            raise Incompatible(f"{self.part_name()} needs documents with classes.")
        rng = generator(job.seed, "target classifier", number)
        training_rows = self.training_rows(job.labelled, job.selections[number], rng)
        test_rows = held_out(len(job.labelled), training_rows, rng)
        classifier = self.classifier(embedding, job.labelled.select(training_rows), rng)
        utilities = {}
        for name, rows, description in (
            ("test", test_rows, "documents it was not trained on"),
            ("train", training_rows, "its training documents"),
        ):
            subset = job.labelled.select(rows)
            utilities[f"classifier_{name}"] = Utility(
                float(np.mean(classifier.classify(subset.corpus) == subset.positive)),
                "share of documents",
                f"How often the target models' classifier is right about {description}.",
                job.majority_share,
            )
        return TrainedTarget(DocumentLabels(classifier), utilities)
