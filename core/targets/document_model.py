"""Classifiers of documents on top of word vectors: how their target models are trained."""

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import (
    Access,
    DocumentLabels,
)
from core.datasets import Dataset
from core.errors import Incompatible
from core.networks.document_classifier import DocumentClassifier, Labelled
from core.networks.word_embedding import Embedding
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import TrainingJob, held_out
from core.targets.word_vectors import PredictiveModel
from core.text.contents import Documents


class DocumentModel(PredictiveModel):
    """A word embedding with a classifier of documents on top of it, of which only the labels are seen.

    The classifier's documents are those of ``texts``, or the embedding's own, which then must have classes. The class
    in ``positive`` is told from all others.
    """

    provides: ClassVar[frozenset[type[Access]]] = frozenset({DocumentLabels})

    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Documents with classes that the classifier is trained on; none means the embedding's own.",
        label="Classifier’s documents",
    )
    positive: str = parameter(
        "spam", "The class that is told from all others.", label="Class looked for", min_length=1, max_length=60
    )
    training: int = parameter(
        3000,
        "Documents of its own that the classifier is trained on.",
        label="Classifier’s training set",
        unit="documents",
        ge=20,
        le=1_000_000,
    )

    def labelled(self, own: Documents) -> Documents:
        """Return the documents from which the classifier learns.

        Args:
            own: Those of the embedding.

        Raises:
            Incompatible: They have no classes, not the one looked for, or no other.
        """
        documents: Documents = own if self.texts is None else self.texts.load()
        name = "the dataset" if self.texts is None else self.texts.part_name()
        classes = sorted(set(documents.labels))
        if self.positive not in classes or len(classes) < 2:
            found = f"the classes {', '.join(map(repr, classes))}" if classes else "no classes"
            raise Incompatible(
                f"{self.part_name()} needs documents of the class {self.positive!r} and of others; {name} has {found}. "
                "Choose another class for 'positive', or other 'texts'."
            )
        return documents

    def positives(self, documents: Documents) -> NDArray[np.bool_]:
        """Return which documents are of the class that is looked for, (documents,)."""
        return np.array([label == self.positive for label in documents.labels], dtype=np.bool_)

    def lesson(self, labelled: Labelled, trained: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows that teach one classifier.

        Args:
            labelled: What there is to choose from.
            trained: Rows that the embedding was trained on, which are the lesson where ``texts`` is none.
            rng: Draws the lesson otherwise.

        Raises:
            Incompatible: There are too few documents.
        """
        if self.texts is None:
            return trained
        if self.training >= len(labelled):
            raise Incompatible(
                f"Trainer and adversary have {len(labelled)} documents each for their classifiers, of which some must "
                f"be left to test them. A training set of {self.training} does not fit; {4 * len(labelled) // 5} does."
            )
        return rng.choice(len(labelled), self.training, replace=False)

    @abstractmethod
    def classifier(self, embedding: Embedding, lesson: Labelled, rng: np.random.Generator) -> DocumentClassifier:
        """Train a classifier on top of a trained embedding.

        Args:
            embedding: What words look like.
            lesson: Documents with their classes.
            rng: Source of all randomness.
        """

    def release(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Train embeddings with classifiers on top, of which the labels may be asked for."""
        embeddings = self.embeddings(job, context)
        context.progress.stage("Training the target classifiers", total=len(embeddings))
        releases = []
        for number, embedding in enumerate(embeddings):
            releases.append(self._classifying(number, embedding, job))
            context.progress.advance()
        return releases

    def _classifying(self, number: int, embedding: Embedding, job: TrainingJob) -> TrainedTarget:
        """Train a target model's classifier, and see how often it is right (Mahloujifar et al. 2021, Table 3)."""
        if job.labelled is None:
            raise Incompatible(f"{self.part_name()} needs documents with classes.")
        rng = generator(job.seed, "target classifier", number)
        lesson = self.lesson(job.labelled, job.selections[number], rng)
        tested = held_out(len(job.labelled), lesson, rng)
        classifier = self.classifier(embedding, job.labelled.select(lesson), rng)
        qualities = {}
        for name, rows, says in (
            ("test", tested, "documents it was not trained on"),
            ("train", lesson, "its training documents"),
        ):
            part = job.labelled.select(rows)
            qualities[f"classifier_{name}"] = Utility(
                float(np.mean(classifier.classify(part.corpus) == part.positive)),
                "share of documents",
                f"How often the target models' classifier is right about {says}.",
                job.commoner,
            )
        return TrainedTarget(DocumentLabels(classifier), qualities)
