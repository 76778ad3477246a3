"""A linear classifier of documents that sees them as the mean of their words' vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.networks.word_embedding import Embedding
from core.text.corpus import Corpus


@dataclass(frozen=True)
class Labelled:
    """Documents of two classes.

    Attributes:
        corpus: The documents.
        positive: (documents,) which of them are of the class that is looked for, spam.
    """

    corpus: Corpus
    positive: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.positive)

    def select(self, documents: NDArray[np.int64]) -> "Labelled":
        """Return the given documents, in that order."""
        return Labelled(self.corpus.select(documents), self.positive[documents])


@dataclass(frozen=True)
class DocumentClassifier:
    """Calls a document positive where ``weights . mean(vectors of its known words) + bias`` is above 0.

    Attributes:
        embedding: What words look like.
        weights: (dimension,).
        bias: What is added; all that counts for a document without a known word.
    """

    embedding: Embedding
    weights: NDArray[np.float64]
    bias: float

    @classmethod
    def fit(cls, embedding: Embedding, lesson: Labelled, rng: np.random.Generator) -> "DocumentClassifier":
        """Train a linear support vector machine on standardised coordinates, both classes weighing the same.

        Args:
            embedding: What words look like.
            lesson: Documents of both classes.
            rng: Source of the order of its updates.
        """
        from sklearn.svm import LinearSVC

        means = document_vectors(lesson.corpus, embedding)
        center, scale = means.mean(axis=0), means.std(axis=0) + 1e-9
        machine = LinearSVC(class_weight="balanced", dual=False, random_state=int(rng.integers(2**31)))
        machine.fit((means - center) / scale, lesson.positive)
        weights = machine.coef_[0] / scale
        return cls(embedding, weights, float(machine.intercept_[0] - weights @ center))

    def scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return what each word adds to the sum of a document, (words,); NaN for an unknown one."""
        return np.asarray(self.embedding.lookup(words).astype(np.float64) @ self.weights)

    def classify(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return the class of each document, (documents,)."""
        return np.asarray(document_vectors(corpus, self.embedding) @ self.weights + self.bias > 0)

    def sums(self, documents: Sequence[Sequence[str]]) -> "Sums":
        """Return what decides about documents, given as words, before anything is appended."""
        distinct = sorted({word for document in documents for word in document})
        known = dict(zip(distinct, self.scores(distinct).tolist(), strict=True))
        added = [[known[word] for word in document if not np.isnan(known[word])] for document in documents]
        return Sums(
            np.array([sum(scores) for scores in added], dtype=np.float64),
            np.array([len(scores) for scores in added], dtype=np.int64),
            self.bias,
        )


@dataclass(frozen=True)
class Sums:
    """What decides about documents.

    Attributes:
        totals: (documents,) sum of the scores of a document's known words.
        counts: (documents,) how many they are.
        bias: The classifier's.
    """

    totals: NDArray[np.float64]
    counts: NDArray[np.int64]
    bias: float

    def appended(self, scores: NDArray[np.float64], repetitions: int) -> NDArray[np.bool_]:
        """Return the class of each document with each word appended 0, 1, ... times, (documents, words, times).

        Appending a word adds its score to a sum, so that one addition answers what would be a document to classify.

        Args:
            scores: (words,) of the words; an unknown one, NaN, changes nothing.
            repetitions: Most times.
        """
        times = np.arange(repetitions + 1)
        known = ~np.isnan(scores)
        total = self.totals[:, None, None] + np.nan_to_num(scores)[:, None] * times
        count = self.counts[:, None, None] + known[:, None] * times
        return np.asarray(total / np.maximum(count, 1) + self.bias > 0)


def document_vectors(corpus: Corpus, embedding: Embedding) -> NDArray[np.float64]:
    """Return the mean of the vectors of each document's known words, (documents, dimension); 0 where it has none."""
    from scipy.sparse import csr_matrix

    vectors = embedding.lookup(corpus.words).astype(np.float64)
    known = ~np.isnan(vectors).any(axis=1)
    ones: NDArray[Any] = np.ones(len(corpus.tokens))
    word_sets = csr_matrix((ones, corpus.tokens, corpus.offsets), shape=(len(corpus), len(corpus.words)))
    counts = word_sets @ known.astype(np.float64)
    return np.asarray((word_sets @ np.nan_to_num(vectors)) / np.maximum(counts, 1)[:, None])
