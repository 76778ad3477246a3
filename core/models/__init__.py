"""What is attacked: learners that turn documents into something an adversary may query."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, DocumentLabels, SentenceEmbeddings, WordVectors
from core.corpus import Corpus
from core.datasets import Dataset, Documents, Words
from core.document_classifier import DocumentClassifier, Labelled
from core.embedding import Embedding
from core.errors import Incompatible
from core.lab import Lab
from core.registry import Part
from core.spec import Holds, parameter


class Model(Part):
    """A learner with its hyper-parameters.

    ``provides`` says what an adversary of the trained model may touch.
    """

    kind: ClassVar[str] = "model"
    provides: ClassVar[frozenset[type[Access]]]


class WordModel(Model):
    """A learner of word vectors."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors})

    dictionary: Annotated[Dataset | None, Holds(Words)] = parameter(
        None,
        "Public dictionary; every word outside it becomes one dummy word. None keeps every word.",
        label="Dictionary",
    )

    mode: Literal["cbow", "skip_gram"] = parameter(
        "cbow", "Predict a word from its context (CBOW) or the context from the word (skip-gram)."
    )
    window: int = parameter(5, "Farthest context word to either side.", unit="words", ge=1, le=50)
    epochs: int = parameter(20, "Passes over the documents.", unit="passes", ge=1, le=200)
    dimension: int = parameter(80, "Length of each word vector.", ge=2, le=1024)
    minimum_count: int = parameter(20, "Rarer words are ignored.", unit="occurrences", ge=1, le=10_000)

    def vocabulary(self) -> tuple[str, ...] | None:
        """Return the words of the dictionary, or None when every word is kept."""
        return None if self.dictionary is None else self.dictionary.load().words

    @abstractmethod
    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train on documents.

        Args:
            corpus: Training documents.
            rng: Source of all randomness; the same state gives the same bytes.
        """


class DocumentModel(WordModel):
    """A word embedding with a classifier of documents on top of it, of which only the labels are seen.

    The classifier's documents are those of ``texts``, or the embedding's own, which then must have classes. The class
    in ``positive`` is told from all others.
    """

    provides: ClassVar[frozenset[type[Access]]] = frozenset({DocumentLabels})

    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None, "Documents with classes that the classifier is trained on; none means the embedding's own.",
        label="Classifier’s documents",
    )  # fmt: skip
    positive: str = parameter(
        "spam", "The class that is told from all others.", label="Class looked for", min_length=1, max_length=60
    )
    training: int = parameter(
        3000, "Documents of its own that the classifier is trained on.", label="Classifier’s training set",
        unit="documents", ge=20, le=1_000_000,
    )  # fmt: skip

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


class SentenceModel(Model):
    """A pretrained encoder: a text in, one vector out."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings})

    @abstractmethod
    def encode(self, texts: Sequence[str], lab: Lab) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension).

        Args:
            texts: What to embed; an empty text has an embedding too.
            lab: Keeps each embedding as soon as it exists, and is told of the progress.
        """
