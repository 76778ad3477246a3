"""Downstream accuracy: how well a classifier works on embeddings after defenses."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.encoders.own_embeddings import OwnEmbeddings
from core.networks.perceptron import moments
from core.result import Estimate
from core.runtime.progress import Progress
from core.statistics import intervals
from core.statistics.discriminant import discriminant

_TEST_SHARE = 0.25
_LEAST_CLASS_SIZE = 4
_FOLDS, _REPEATS, _INNER_FOLDS = 4, 3, 3
_INVERSE_PENALTIES = (0.001, 0.01, 0.1, 1.0)
_ITERATIONS = 300

Predict = Callable[[NDArray[np.float32]], NDArray[np.int64]]
"""Embeddings as released in, (texts, dimension); classes out, (texts,)."""


def measure(embeddings: NDArray[np.float32], labels: Sequence[str], rng: np.random.Generator) -> Estimate | None:
    """Return the accuracy of a linear classifier on held-out texts, or None with fewer than two classes.

    Pan et al. 2020 put a linear layer on the encoder (section VI-A, appendix A). Texts without a label, or of a class
    with fewer than four texts, are left out. A quarter is held out, stratified by class. Chance is the share of the
    majority class.

    Args:
        embeddings: (texts, dimension) embeddings as released.
        labels: The class of each text; empty where it has none.
        rng: Source of the split and of the resampling.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    usable, classes_of_texts = _classes(labels)
    classes = np.unique(classes_of_texts)
    if len(classes) < 2:
        return None
    train_inputs, test_inputs, train_classes, test_classes = train_test_split(
        embeddings[usable].astype(np.float64),
        classes_of_texts,
        test_size=_TEST_SHARE,
        random_state=int(rng.integers(2**31)),
        stratify=classes_of_texts,
    )
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, C=0.1))
    hits = classifier.fit(train_inputs, train_classes).predict(test_inputs) == test_classes
    return Estimate(
        **intervals.mean_of(hits, rng)._asdict(),
        chance=float(np.bincount(test_classes).max() / len(test_classes)),
        unit="share of texts",
        decisions=len(hits),
        help=f"Share of texts whose class, of {len(classes)}, the service names from the released embedding.",
    )


def tuned(
    stored: OwnEmbeddings, labels: Sequence[str], rng: np.random.Generator, progress: Progress
) -> Estimate | None:
    """Return the accuracy of the best downstream classifier that a service could choose, or None as `measure` does.

    The service knows the defense, and may hold plain embeddings of the texts that it teaches with. It tries:

    - logistic regression at several penalties, taught on released embeddings, and on plain ones (whose coordinates are
      given the spread that released ones have);
    - linear discriminant analysis of plain embeddings, with the known variance of the noise added to the covariance;
    - the majority class, whatever the embedding.

    Each of four folds, stratified by class, is held out in turn, so every text is tested once; this is repeated with
    three splits. Inside what is left, three folds choose among the classifiers; one must beat the majority class there
    by a standard error, or the majority class is predicted. No test text has a part in that choice. A text's hits are
    averaged over the splits, and the interval resamples texts, which are the independent units; repeats only take away
    the luck of one split. Chance is the share of the majority class. A service that may name that class is worth no
    less: where the chosen classifiers fall below it on these texts, by luck, the figure is that of naming it.

    Args:
        stored: The embeddings; ``plain`` before the defenses of the release, ``vectors`` as released.
        labels: The class of each text; empty where it has none.
        rng: Source of the splits and of the resampling.
        progress: Is told of each fold that was tested.
    """
    from sklearn.model_selection import StratifiedKFold

    usable, truth = _classes(labels)
    if len(np.unique(truth)) < 2:
        return None
    texts = stored.select(np.flatnonzero(usable))
    hits = np.zeros(len(truth))
    progress.stage("Measuring downstream accuracy", _REPEATS * _FOLDS)
    for _ in range(_REPEATS):
        folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
        for taught, tested in folds.split(truth, truth):
            predict = _chosen(texts.select(taught), truth[taught], rng)
            hits[tested] += predict(texts.vectors[tested]) == truth[tested]
            progress.advance()
    counts = np.bincount(truth)
    majority = (truth == counts.argmax()).astype(np.float64)
    return Estimate(
        **intervals.mean_of(max(hits / _REPEATS, majority, key=np.mean), rng)._asdict(),
        chance=float(majority.mean()),
        unit="share of texts",
        decisions=len(truth),
        help=f"Share of texts whose class, of {len(counts)}, a service that tunes its classifier names.",
    )


def _classes(labels: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which texts have a class that is large enough, and the numbers of these classes."""
    counts = Counter(labels)
    usable = np.array([bool(label) and counts[label] >= _LEAST_CLASS_SIZE for label in labels], dtype=np.bool_)
    return usable, np.unique(np.array(labels)[usable], return_inverse=True)[1].astype(np.int64)


def _chosen(texts: OwnEmbeddings, truth: NDArray[np.int64], rng: np.random.Generator) -> Predict:
    """Return the classifier that does best on left-out parts of these texts, taught on all of them."""
    from sklearn.model_selection import StratifiedKFold

    right: list[NDArray[np.bool_]] = []
    folds = StratifiedKFold(_INNER_FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    majority = np.bincount(truth).argmax()
    for taught, tested in folds.split(truth, truth):
        part, answers = texts.select(taught), truth[tested]
        guesses = [teach(part, truth[taught])(texts.vectors[tested]) for teach in _candidates()]
        right.append(np.stack([np.full(len(tested), majority) == answers, *(guess == answers for guess in guesses)]))
    constant, *candidate_hits = np.concatenate(right, axis=1).astype(np.float64)
    best = int(np.argmax([hits.mean() for hits in candidate_hits]))
    lead = candidate_hits[best] - constant
    if lead.mean() <= lead.std() / np.sqrt(len(lead)):
        return lambda released: np.full(len(released), majority)
    return list(_candidates())[best](texts, truth)


def _candidates() -> Iterator[Callable[[OwnEmbeddings, NDArray[np.int64]], Predict]]:
    """Yield the ways to teach a classifier."""
    for penalty in _INVERSE_PENALTIES:
        for on_plain in (False, True):
            yield partial(_regression, penalty=penalty, on_plain=on_plain)
    yield _discriminant


def _regression(texts: OwnEmbeddings, truth: NDArray[np.int64], penalty: float, *, on_plain: bool) -> Predict:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    center, scale = moments(texts.vectors)
    inputs = texts.plain if on_plain else texts.vectors
    classifier = LogisticRegression(max_iter=_ITERATIONS, C=penalty)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a few more steps change no class
        classifier.fit(((inputs - center) / scale).astype(np.float64), truth)
    return lambda released: np.asarray(classifier.predict(((released - center) / scale).astype(np.float64)), np.int64)


def _discriminant(texts: OwnEmbeddings, truth: NDArray[np.int64]) -> Predict:
    classes, numbers, counts = np.unique(truth, return_inverse=True, return_counts=True)
    expected, noise = texts.expected
    slopes, offsets = discriminant(expected, numbers, len(classes), noise)
    prior = np.log(counts / counts.sum())
    return lambda released: classes[np.argmax(released @ slopes + offsets + prior, axis=1)]
