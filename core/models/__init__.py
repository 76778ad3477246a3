"""What is attacked: learners that turn documents into something an adversary may query."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings, WordVectors
from core.corpus import Corpus
from core.datasets import Dataset, Words
from core.embedding import Embedding
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
