"""Classifiers of whose a text is: of its embedding, and of its words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.encoders.own_embeddings import OwnEmbeddings
from core.statistics.discriminant import discriminant

_INVERSE_PENALTY = 10.0


def author_probabilities(
    known: OwnEmbeddings, authors: NDArray[np.int64], victims: NDArray[np.float32], count: int
) -> NDArray[np.float32]:
    """Return the probability of each author for each victim, (victims, authors), from labelled embeddings."""
    from scipy.special import softmax

    expected, noise = known.expected
    slopes, offsets = discriminant(expected, authors, count, noise)
    return np.asarray(softmax(victims @ slopes + offsets, axis=1), dtype=np.float32)


def authors_by_words(texts: Sequence[str], authors: NDArray[np.int64], victims: Sequence[str]) -> NDArray[np.int64]:
    """Return the author of each victim that logistic regression on the words predicts."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = TfidfVectorizer(sublinear_tf=True)
    classifier = LogisticRegression(C=_INVERSE_PENALTY, max_iter=500).fit(vectorizer.fit_transform(texts), authors)
    return np.asarray(classifier.predict(vectorizer.transform(victims)), np.int64)
