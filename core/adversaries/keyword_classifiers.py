"""Classifiers that predict from an embedding whether a text has a word, and the texts that train them."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.adversaries.word_substitution import substituted, vocabulary
from core.encoders.own_embeddings import COPIES, OwnEmbeddings
from core.networks import domain_adversarial, perceptron
from core.networks.perceptron import Perceptron, Training
from core.runtime.context import content_key
from core.runtime.seeding import generator
from core.statistics.discriminant import discriminant
from core.text.secrets import Keyword

SAME_KIND = (
    "The adversary has the embeddings of texts, holds texts of the same kind, and may query the same public encoder "
    "with any text."
)
"""The threat model of an adversary that holds texts of the victims' kind."""

_BATCH = 64
_LEARNING_RATE = 1e-3
_UNITS = 80
_EPOCHS = 30
_EVERY = _EPOCHS // 10


@dataclass(frozen=True)
class Examples:
    """Texts with and without each of some keywords.

    Attributes:
        texts: Distinct texts, in the order they were made.
        rows: For each keyword, which of the texts train its classifier.
        answers: For each keyword, whether those texts have it.
    """

    texts: tuple[str, ...]
    rows: tuple[NDArray[np.int64], ...]
    answers: tuple[NDArray[np.int64], ...]


def examples(start: Sequence[str], keywords: Sequence[str], copies: int, seed: int, anchor: str = "") -> Examples:
    """Make texts by the word substitution trick, for each keyword separately.

    Args:
        start: Texts to start from.
        keywords: The words.
        copies: Pairs made of each text.
        seed: Source of all randomness.
        anchor: Word that a keyword replaces where a text has it; a random word when empty.
    """
    words = vocabulary(start)
    numbers: dict[str, int] = {}
    rows, answers = [], []
    for number, keyword in enumerate(keywords):
        rng = generator(seed, "substitution", number)
        texts, present = substituted(start, Keyword(keyword), words, copies, rng, anchor)
        rows.append(np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64))
        answers.append(np.array(present, dtype=np.int64))
    return Examples(tuple(numbers), tuple(rows), tuple(answers))


@dataclass(frozen=True)
class KeywordTask:
    """What the classifiers of some keywords are trained on, and the victims they predict.

    Attributes:
        examples: Texts with and without each keyword.
        known: Embeddings of these texts.
        victims: (victims, dimension) embeddings to predict from.
        seed: Source of all randomness.
        released: How many of the victims were released, the first ones; the others are the adversary's own.
        asked: (keywords, released) which victims a keyword's domain-adversarial network may align with; None for all.
    """

    examples: Examples
    known: OwnEmbeddings
    victims: NDArray[np.float32]
    seed: int
    released: int
    asked: NDArray[np.bool_] | None = None

    @property
    def contents(self) -> str:
        """Key of all data."""
        beside = f"{self.released} released" if self.released < len(self.victims) else ""
        asked = "" if self.asked is None else content_key(self.asked)
        return self.known.key + content_key(self.victims, *self.examples.rows, *self.examples.answers) + beside + asked

    def training_set(self, keyword: int) -> tuple[OwnEmbeddings, NDArray[np.int64]]:
        """Return embeddings of rows, and (rows,) whether the keyword is there."""
        return self.known.select(self.examples.rows[keyword]), self.examples.answers[keyword]

    def aligned(self, keyword: int) -> NDArray[np.int64]:
        """Return which victims a keyword's domain-adversarial network may align with."""
        return np.arange(self.released) if self.asked is None else np.flatnonzero(self.asked[keyword])


def lda(inputs: OwnEmbeddings, truth: NDArray[np.int64]) -> Perceptron:
    """Return a linear discriminant of means and a covariance in closed form, with the known noise in the covariance.

    Args:
        inputs: Embeddings to learn from.
        truth: (rows,) whether the keyword is there; both occur.
    """
    expected, noise = inputs.expected
    slopes, offsets = discriminant(expected, truth, 2, noise)
    center, scale = perceptron.moments(expected)
    weights = (slopes * scale[:, None]).astype(np.float32)
    return Perceptron(center, scale, ((weights, (offsets + center @ slopes).astype(np.float32)),))


def svm(inputs: OwnEmbeddings, truth: NDArray[np.int64], rng: np.random.Generator) -> Perceptron:
    """Train a linear support vector machine, with the logistic function of the margin as probability.

    Where the defense draws noise, it learns from several draws for each text.

    Args:
        inputs: Embeddings to learn from.
        truth: (rows,) whether the keyword is there.
        rng: Source of the order of its updates.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    machine = LinearSVC(dual="auto", max_iter=5000, random_state=int(rng.integers(2**31)))
    vectors = inputs.copies(COPIES, rng)
    center, scale = perceptron.moments(vectors)
    answers = np.tile(truth, len(vectors) // max(len(inputs), 1))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # few or noisy texts may not settle; it answers all the same
        machine.fit(((vectors - center) / scale).astype(np.float64), answers)
    weight, bias = machine.coef_[0].astype(np.float32), np.float32(machine.intercept_[0])
    absent = np.zeros_like(weight)
    return Perceptron(center, scale, ((np.stack([absent, weight], axis=1), np.array([0, bias], np.float32)),))


def mlp(
    inputs: OwnEmbeddings, truth: NDArray[np.int64], rng: np.random.Generator
) -> tuple[list[Perceptron], NDArray[np.int32]]:
    """Train a perceptron of 80 sigmoid units; return it at ten stages, the last one finished, and their epochs.

    Where the defense draws noise, each batch gets fresh noise.

    Args:
        inputs: Embeddings to learn from.
        truth: (rows,) whether the keyword is there.
        rng: Source of all randomness.
    """
    epoch = max(1, len(inputs) // _BATCH)
    training = Training((_UNITS,), steps=_EPOCHS * epoch, batch=_BATCH, learning_rate=_LEARNING_RATE)
    stops = range(_EVERY * epoch, training.steps, _EVERY * epoch)
    stages = list(perceptron.train(inputs.batches(truth), inputs.vectors, 2, training, rng, stops))
    return stages, np.arange(1, len(stages) + 1, dtype=np.int32) * _EVERY


def plain(classifier: str, task: KeywordTask, keyword: int) -> tuple[list[Perceptron], NDArray[np.int32]]:
    """Train ``svm``, ``mlp`` or ``lda`` for a keyword, seeing no victim; return its stages, and the epoch of each."""
    inputs, truth = task.training_set(keyword)
    rng = generator(task.seed, classifier, keyword)
    if classifier == "mlp":
        return mlp(inputs, truth, rng)
    network = svm(inputs, truth, rng) if classifier == "svm" else lda(inputs, truth)
    return [network], np.zeros(1, np.int32)


def dann(
    task: KeywordTask, keyword: int, aligned: int, width: int, epochs: int, strength: float
) -> tuple[list[Perceptron], NDArray[np.int32]]:
    """Train a domain-adversarial network of a keyword; return its state after each epoch, and their numbers.

    It learns not to tell the embeddings of victims, of which it sees at most ``aligned``, from those of the texts;
    ``strength`` is the weight of the reversed gradient.
    """
    inputs, truth = task.training_set(keyword)
    order = generator(task.seed, "aligned").permutation(task.aligned(keyword))
    networks = list(
        domain_adversarial.train(
            inputs.vectors,
            truth,
            task.victims[np.sort(order[:aligned])],
            width=width,
            epochs=epochs,
            strength=strength,
            batch=_BATCH,
            learning_rate=_LEARNING_RATE,
            rng=generator(task.seed, "dann", keyword),
            drawn=inputs.drawn if inputs.random else None,
        )
    )
    return networks, np.arange(1, len(networks) + 1, dtype=np.int32)
