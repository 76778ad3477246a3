"""The blind baseline: membership predicted from the texts alone, without any model."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.runtime.seeding import generator

_FOLDS = 5
_MOST_WORDS = 20_000


def blind_scores(
    texts: Sequence[str], member: NDArray[np.bool_], cluster: NDArray[np.int64], seed: int
) -> NDArray[np.float64]:
    """Return the log odds that each text is marked in, by a classifier trained on the marks of other texts, (texts,).

    A logistic regression on TF-IDF weights of words and on lengths, out of fold. It is given the true marks of four
    fifths of the texts, far more than any adversary has: only ins and outs that differ in themselves lift it above
    chance. Texts of one owner are in one fold.

    Args:
        texts: The marked texts, both kinds.
        member: (texts,) which are marked in.
        cluster: (texts,) number of the owner of each.
        seed: Source of the folds.
    """
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    words = TfidfVectorizer(sublinear_tf=True, max_features=_MOST_WORDS, token_pattern=r"(?u)\w+")
    weights = words.fit_transform(texts)
    lengths = np.array([[np.log1p(len(text)), np.log1p(len(text.split()))] for text in texts])
    features = csr_matrix(hstack([weights, StandardScaler().fit_transform(lengths) / 10]))
    fold = _folds(member, cluster, seed)
    scores = np.zeros(len(texts))
    for number in range(_FOLDS):
        held_out = fold == number
        if not held_out.any() or len(np.unique(member[~held_out])) < 2:
            continue
        classifier = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
        classifier.fit(features[~held_out], member[~held_out])
        scores[held_out] = classifier.decision_function(features[held_out])
    return scores


def _folds(member: NDArray[np.bool_], cluster: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return the fold of each text: one fold for a cluster, each fold with about the same share of members."""
    numbers, of_text = np.unique(cluster, return_inverse=True)
    share = np.bincount(of_text, member) / np.bincount(of_text)
    order = generator(seed, "blind").permutation(len(numbers))
    order = order[np.argsort(share[order], kind="stable")]
    fold = np.empty(len(numbers), np.int64)
    fold[order] = np.arange(len(numbers)) % _FOLDS
    return fold[of_text]
