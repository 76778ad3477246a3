"""The blind baseline: membership predicted from all that is known of documents without the model's answers."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.seeding import generator
from core.runtime.threads import in_one_thread
from core.statistics.one_model import random_marks

VERSION = 4
"""Raised when the same texts and marks would get other scores; part of the keys of games that use them."""
_FOLDS = 5
_MOST_CHARACTERS = 10_000
"""Characters of a text whose pairs are looked at."""
_FEWEST = 10
"""Texts that a phrase or pair of characters must be in to be weighed by itself; fewer never differ beyond doubt."""
_NOISES = (1.0, 0.3, 0.1)
"""Variances of the noise to choose from, where each kind of knowledge has the same share of a variance of 1."""
_FLAT = 1e-9
"""Deviation or variance below which scores do not differ at all."""
_LEAST = 0.01
"""Minimum weight of a part, so that texts are ranked even when no part is informative."""
_DIGITS = 9
"""Digits of a score, so that no rounding error of another processor is a difference."""


@dataclass(frozen=True)
class Known:
    """What is known of documents without the model.

    Attributes:
        texts: The texts.
        classes: The class of each; empty where they have none.
        sizes: (texts,) documents of the target that each belongs to.
    """

    texts: Sequence[str]
    classes: Sequence[str]
    sizes: NDArray[np.int64]

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """The prior covariance of texts, (texts, texts): each kind of knowledge that varies has the same share."""
        from sklearn.feature_extraction.text import TfidfTransformer

        phrases = self._phrases
        weights = TfidfTransformer(sublinear_tf=True).fit_transform(phrases) if phrases.shape[1] else phrases
        shape = np.array([_shape(text) for text in self.texts])
        shape = np.column_stack([shape, np.log(self.sizes)])
        shape = (shape - shape.mean(axis=0)) / np.maximum(shape.std(axis=0), 1e-9)
        squares = (shape**2).sum(axis=1)
        apart = np.maximum(squares[:, None] + squares - 2 * shape @ shape.T, 0)  # (texts, texts)
        kinds = [(weights @ weights.T).toarray(), np.exp(-apart / (2 * shape.shape[1]))]
        if self.classes:
            one_hot = _one_hot(self.classes)
            kinds.append(one_hot @ one_hot.T)
        varying = [kind for each in kinds if (kind := _centred(each)) is not None]
        return np.mean(varying, axis=0) if varying else np.zeros((len(self.texts), len(self.texts)))

    @cached_property
    def present(self) -> Any:
        """Sparse matrix of the phrases, character pairs and classes of each text, limited to those weighted."""
        from scipy.sparse import csr_matrix, hstack
        from sklearn.feature_extraction.text import CountVectorizer

        characters = CountVectorizer(analyzer=_pairs, binary=True).fit_transform(self.texts)
        classes = [csr_matrix(_one_hot(self.classes))] if self.classes else []
        present = csr_matrix(hstack([self._phrases > 0, characters, *classes]), dtype=np.float64)
        common = np.asarray(present.sum(axis=0)).ravel()
        return present[:, (common >= _FEWEST) & (common < present.shape[0])]

    @cached_property
    def _phrases(self) -> Any:
        """How often each text has each word, and each two that follow each other, of those that another has, too."""
        from sklearn.feature_extraction.text import HashingVectorizer

        hashing = HashingVectorizer(token_pattern=r"(?u)\w+", ngram_range=(1, 2), norm=None, alternate_sign=False)
        counts = hashing.transform(self.texts)
        return counts[:, counts.getnnz(axis=0) > 1]


@dataclass(frozen=True)
class Marked:
    """The marks of targets, and of others that train the baseline too.

    Attributes:
        of_text: (texts,) number of the target or other that each text belongs to.
        member: (targets and others,) which are marked in.
        cluster: (targets and others,) number of the owner of each.
        targets: How many are targets; they come first.
    """

    of_text: NDArray[np.int64]
    member: NDArray[np.bool_]
    cluster: NDArray[np.int64]
    targets: int


@dataclass(frozen=True)
class BlindScores:
    """Scores of targets, and those of the same baseline trained on random marks.

    Attributes:
        score: (targets,) higher means more likely in.
        random_member: (draws, targets) random marks.
        random_score: (draws, targets) the scores that they give.
    """

    score: NDArray[np.float64]
    random_member: NDArray[np.bool_]
    random_score: NDArray[np.float64]


def blind_scores(known: Known, marked: Marked, seed: int) -> BlindScores:
    """Return a score of each target by a classifier trained on the marks of others, and by the same on random marks.

    The classifier is given the true marks of four fifths of the documents, far more than any adversary has: only ins
    and outs that differ in themselves lift it above chance. Those of one owner are in one fold. It adds two parts:

    - A Gaussian process (Rasmussen and Williams 2006, equation 2.25) of words and pairs of words, of lengths and
      compressibility, and of classes, each with the same share of the prior variance, so that a plain difference in
      classes is not lost among thousands of words. Its noise is the likeliest of a few (equation 2.30).
    - The log odds of words, pairs of words or characters, and classes that differ beyond doubt between ins and outs of
      the other folds (Bonferroni), so that one telling mark is not lost either.

    Log odds of what goes together count it many times, and would outshout the process where much differs. So each part
    is weighed by what it tells of the marks of the other folds (`_weighed`).
    """
    targets, rng = marked.targets, generator(seed, "blind")
    parts = [slice(None, targets), slice(targets, None)]
    if np.isin(marked.cluster[:targets], marked.cluster[targets:]).any():
        parts = [slice(None)]  # marks of an owner stay together, who is asked about and trained on, too
    random = np.hstack([random_marks(marked.member[part], marked.cluster[part], rng) for part in parts])
    marks = np.concatenate([marked.member[None], random]).T  # (targets and others, 1 + draws)
    owners, of_owner = np.unique(marked.cluster, return_inverse=True)
    fold = (rng.permutation(len(owners)) % _FOLDS)[of_owner][marked.of_text]
    marks_of_texts = marks[marked.of_text]  # (texts, 1 + draws)
    with in_one_thread():
        scores = _weighed(_by_process(known.covariance, marks_of_texts, fold), marks_of_texts, fold)
        scores += _weighed(_by_telling(known.present, marks_of_texts, fold), marks_of_texts, fold)
    texts = np.bincount(marked.of_text, minlength=len(marks))[:targets, None]
    of_target = marked.of_text < targets
    sums = np.zeros((targets, marks.shape[1]))
    np.add.at(sums, marked.of_text[of_target], scores[of_target])
    means = (sums / texts).round(_DIGITS)
    return BlindScores(means[:, 0], marks[:targets, 1:].T, means[:, 1:].T)


def _shape(text: str) -> tuple[float, float, float]:
    """Return the length of a text in characters and in words, and its length compressed by that in characters."""
    packed = len(zlib.compress(text.encode(errors="surrogatepass"))) / max(len(text), 1)
    return float(np.log1p(len(text))), float(np.log1p(len(text.split()))), packed


def _pairs(text: str) -> set[str]:
    """Return the characters and pairs of characters of a text, and how it begins and ends.

    >>> sorted(_pairs("aab"))
    ['a', 'aa', 'ab', 'b', 'begins a', 'ends b']
    """
    cut = text[:_MOST_CHARACTERS]
    return {*cut, *map("".join, pairwise(cut)), f"begins {text[:1]}", f"ends {text[-1:]}"}


def _one_hot(classes: Sequence[str]) -> NDArray[np.float64]:
    numbers = np.unique(classes, return_inverse=True)[1]
    return np.eye(numbers.max() + 1)[numbers]


def _centred(covariance: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return a covariance about the mean, of variance 1 on average; None where nothing varies."""
    means = covariance.mean(axis=0)
    centred = covariance - means - means[:, None] + means.mean()
    variance = np.trace(centred) / len(centred)
    return np.asarray(centred / variance) if variance > 1e-9 else None


def _by_process(
    covariance: NDArray[np.float64], marks: NDArray[np.bool_], fold: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean of a Gaussian process out of fold, for each draw of marks, (texts, draws).

    The noise is the one under which the marks of the other folds are the likeliest; so is the scale of process and
    noise together, which the order of scores does not depend on.
    """
    from scipy.linalg import cho_factor, cho_solve

    scores = np.zeros(marks.shape)
    for rows in _of_each(fold):
        train = np.setdiff1d(np.arange(len(fold)), rows)
        share = marks[train].mean(axis=0).clip(_FLAT, 1 - _FLAT)  # that of all would tell how many of the rows are in
        wanted = np.where(marks[train], 0.5 / share, -0.5 / (1 - share))
        with_noise = covariance[np.ix_(train, train)]
        variances = np.diag(with_noise).copy()
        likeliest = np.full(marks.shape[1], -np.inf)
        for noise in _NOISES:
            np.fill_diagonal(with_noise, variances + noise)
            factor = cho_factor(with_noise, lower=True)
            weights = cho_solve(factor, wanted)
            squares = np.maximum((wanted * weights).sum(axis=0), _FLAT)
            likelihood = -len(train) / 2 * np.log(squares) - np.log(np.diag(factor[0])).sum()
            better = likelihood > likeliest
            scores[np.ix_(rows, better)] = covariance[np.ix_(rows, train)] @ weights[:, better]
            likeliest = np.maximum(likelihood, likeliest)
    return scores


def _by_telling(present: Any, marks: NDArray[np.bool_], fold: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return half the log odds of what differs beyond doubt out of fold, for each draw of marks, (texts, draws)."""
    from scipy.sparse import csr_matrix
    from scipy.special import ndtri

    scores = np.zeros(marks.shape)
    beyond = -ndtri(0.025 / max(present.shape[1], 1))
    for rows in _of_each(fold):
        train = np.setdiff1d(np.arange(len(fold)), rows)
        inside = marks[train].sum(axis=0).astype(np.float64)  # (draws,)
        outside = len(train) - inside
        of_all = np.asarray(present[train].sum(axis=0)).reshape(-1, 1)
        of_in = present[train].T @ marks[train].astype(np.float64)  # (features, draws)
        variance = of_all * (inside / len(train)) * (outside / len(train)) * (1 - of_all / len(train))
        deviation = (of_in - of_all * inside / len(train)) / np.sqrt(np.maximum(variance, 1e-9))
        feature, draw = np.nonzero(np.abs(deviation) > beyond)
        has_in, has_out = of_in[feature, draw], (of_all - of_in)[feature, draw]
        rate_in, rate_out = (has_in + 0.5) / (inside[draw] + 1), (has_out + 0.5) / (outside[draw] + 1)
        weight = np.log(rate_in / rate_out) / 2
        odds = csr_matrix((weight, (feature, draw)), shape=deviation.shape)
        middle = np.zeros(marks.shape[1])
        np.add.at(middle, draw, weight * (rate_in + rate_out) / 2)
        scores[rows] = (present[rows] @ odds).toarray() - middle
    return scores


def _weighed(scores: NDArray[np.float64], marks: NDArray[np.bool_], fold: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return scores of deviation 1 times Fisher's weight: how far means of ins and outs lie apart over the variance.

    It is that of the other folds. Of parts that are independent, the sum of these is the linear discriminant. A part
    that tells nothing there, or lies the wrong way round, still orders what no other part does.

    Args:
        scores: Of texts, out of fold, (texts, draws).
        marks: Their marks, (texts, draws).
        fold: The fold of each text.
    """
    spread = scores.std(axis=0)
    scores = np.divide(scores, spread, out=np.zeros(scores.shape), where=spread > _FLAT)
    weighed = np.zeros(scores.shape)
    for rows in _of_each(fold):
        others = np.setdiff1d(np.arange(len(fold)), rows)
        score, mark = scores[others], marks[others]
        inside = np.maximum(mark.sum(axis=0), 1)
        outside = np.maximum(len(others) - inside, 1)
        means = (score * mark).sum(axis=0) / inside, (score * ~mark).sum(axis=0) / outside
        variance = ((score - np.where(mark, *means)) ** 2).mean(axis=0)
        apart = np.divide(means[0] - means[1], variance, out=np.zeros(len(variance)), where=variance > _FLAT)
        weighed[rows] = scores[rows] * np.maximum(apart, _LEAST)
    return weighed


def _of_each(fold: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of each fold."""
    for number in range(_FOLDS):
        if len(rows := np.flatnonzero(fold == number)):
            yield rows
