"""A linear classifier of documents, which are represented by the mean of their word vectors."""

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
        positive: (documents,) which of them are positive, such as spam.
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
    """Predicts that a document is positive if ``weights . mean(vectors of its known words) + bias`` is above 0.

    Attributes:
        embedding: Word vectors.
        weights: (dimension,).
        bias: Intercept, which alone decides about a document without a known word.
    """

    embedding: Embedding
    weights: NDArray[np.float64]
    bias: float

    @classmethod
    def fit(cls, embedding: Embedding, documents: Labelled, rng: np.random.Generator) -> "DocumentClassifier":
        """Train a linear support vector machine on standardised coordinates, with equal weight for both classes."""
        from sklearn.svm import LinearSVC

        means = document_vectors(documents.corpus, embedding)
        center, scale = means.mean(axis=0), means.std(axis=0) + 1e-9
        machine = LinearSVC(class_weight="balanced", dual=False, random_state=int(rng.integers(2**31)))
        machine.fit((means - center) / scale, documents.positive)
        weights = machine.coef_[0] / scale
        return cls(embedding, weights, float(machine.intercept_[0] - weights @ center))

    def scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the dot product of weights and each word's vector, (words,); NaN for an unknown word."""
        return np.asarray(self.embedding.lookup(words).astype(np.float64) @ self.weights)

    def classify(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return the class of each document, (documents,)."""
        return np.asarray(document_vectors(corpus, self.embedding) @ self.weights + self.bias > 0)

    def sums(self, documents: Sequence[Sequence[str]]) -> "Sums":
        """Return the sums of scores of documents given as words."""
        distinct = sorted({word for document in documents for word in document})
        score_of = dict(zip(distinct, self.scores(distinct).tolist(), strict=True))
        scores = [[score_of[word] for word in document if not np.isnan(score_of[word])] for document in documents]
        return Sums(
            np.array([sum(row) for row in scores], dtype=np.float64),
            np.array([len(row) for row in scores], dtype=np.int64),
            self.bias,
        )


@dataclass(frozen=True)
class Sums:
    """Sums of scores, which determine the classes of documents.

    Attributes:
        totals: (documents,) sum of the scores of a document's known words.
        counts: (documents,) number of its known words.
        bias: Intercept of the classifier.
    """

    totals: NDArray[np.float64]
    counts: NDArray[np.int64]
    bias: float

    def appended(self, scores: NDArray[np.float64], repetitions: int) -> NDArray[np.bool_]:
        """Return the class of each document with each word appended 0, 1, ... times, (documents, words, times).

        Appending a word adds its score to the sum; an unknown word has the score NaN and changes nothing.
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
