"""Inversion word by word: a recurrent policy names the words of an embedded text one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.adversaries.linear_map import LinearMap
from core.adversaries.word_classifier import contents_key, evaluated
from core.games.inversion.contract import (
    BLACK_BOX,
    Answer,
    Auxiliary,
    Examined,
    InversionAdversary,
    InversionAttack,
    measured,
    shared_presets,
)
from core.keys import key_of
from core.networks.perceptron import moments
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import parameter

if TYPE_CHECKING:
    from core.networks.multiset import Linear

_LEFT_OUT = 0.1
_FOLDS = 5
"""Folds of the training texts; for each there are classifiers that were trained without it."""
_DROPPED = 0.3
_FEWEST_LEFT = 0.05
"""Least number of words expected to be left to name."""


class MultisetInversion(InversionAttack):
    """Black-box inversion as multi-set prediction, MSP (Song and Raghunathan 2020, Algorithm 2).

    The adversary has the public encoder embed auxiliary texts, and trains a recurrent network (GRU) that names the
    words of a text one by one, each at most once. With the embedding x, the words W_<i named so far and the words W_i
    of the text not named yet, the loss (Welleck et al. 2018) is

        sum over steps i of  - 1 / |W_i|  sum over w in W_i of  log P(w | W_<i, x).

    At each step the likeliest word is named. Deviations, and choices that the paper leaves open:

    - *Start.* ``log_odds``, the paper's method, starts at the frequency of each word. ``linear`` (ours) adds the scores
      of linear classifiers; the policy is trained on scores of classifiers that never saw the text (five folds).
    - *Scores.* A word's score is its probability when named, times the number of words expected to be left, which
      ridge regression predicts from the embedding. Naming stops at the threshold with the best F1 on a held-out tenth.
    """

    title: ClassVar[str] = "Inversion word by word"
    question: ClassVar[str] = "Which words stand in the text behind this embedding, the surest named first?"
    claim: ClassVar[str] = "Given the embedding of a text, the adversary names its words one by one"
    threat: ClassVar[str] = BLACK_BOX
    tables: ClassVar[dict[str, Schema]] = {
        "learning": {
            "epochs": Column("int32", "Epochs of the recurrent layer trained so far."),
            "loss": Column("float64", "Mean loss of a text in that epoch, summed over the steps, in nats."),
            "left_out_f1": Column("float64", "F1 after it on the adversary's held-out texts."),
        }
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = shared_presets(classifier_epochs=15)

    start: Literal["linear", "log_odds"] = parameter(
        "linear", "Whether the policy corrects linear classifiers of words, or starts at the frequency of each word."
    )
    classifier_epochs: int = parameter(
        30,
        "Epochs of the linear classifiers; unused without them.",
        label="Epochs of the classifiers",
        unit="epochs",
        ge=1,
        le=1000,
    )
    epochs: int = parameter(
        6, "Epochs of the recurrent layer.", label="Epochs of the policy", unit="epochs", ge=1, le=1000
    )
    hidden: int = parameter(
        64, "Recurrent units, and length of a word’s vector.", label="Recurrent units", unit="units", ge=1, le=4096
    )
    longest: int = parameter(30, "Most words named for a text.", label="Longest", unit="words", ge=1, le=1000)
    batch: int = parameter(256, "Texts in a batch.", unit="texts", ge=1, le=8192, advanced=True)
    learning_rate: float = parameter(
        3e-3, "Adam’s step size at the start; falls to zero along a half cosine.", gt=0, le=1, advanced=True
    )

    @property
    def named(self) -> str:
        """The title, and where the policy starts if that is the paper's way."""
        return self.title if self.start == "linear" else f"{self.title} (from the frequencies)"

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Train the linear start, then the policy; choose the threshold after each epoch on the held-out texts."""
        raw = self.examine(auxiliary, access, _LEFT_OUT, len(auxiliary.texts))
        center, scale = moments(raw.vectors[: raw.taught])
        training = _Training(self, replace(raw, vectors=(raw.vectors - center) / scale), auxiliary.seed, center, scale)
        linear = training.classifiers(context) if self.start == "linear" else (training.frequencies(),) * 2
        counts = np.diff(raw.present.indptr)
        sizes = LinearMap.ridge(raw.vectors[: raw.taught], counts[: raw.taught])
        steps = max(min(self.longest, int(counts.max())), 1)

        def on_epoch(number: int, state: Mapping[int, Arrays]) -> None:
            context.progress.partial(measured(state[0]))

        shared = {"training": training, "linear": linear, "sizes": sizes(raw.left_out[0]), "steps": steps}
        stage = "Training the policy that names words"
        state = train_by_epochs(context, stage, training.identity, _train_epoch, [0], self.epochs, shared, on_epoch)
        return Policy(raw.words, state[0], linear[-1], sizes, steps)


@dataclass(frozen=True)
class _Training:
    """What the policy learns from.

    Attributes:
        attack: The parameters.
        texts: The auxiliary texts, with embeddings of zero mean and unit variance.
        seed: Source of all randomness.
        center: (dimension,) mean of the embeddings.
        scale: (dimension,) their standard deviation.
    """

    attack: MultisetInversion
    texts: Examined
    seed: int
    center: NDArray[np.float32]
    scale: NDArray[np.float32]

    def drawn(self, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings of the texts for training under fresh noise, with zero mean and unit variance."""
        if not self.texts.known.random:
            return self.texts.vectors[: self.texts.taught]
        return (self.texts.drawn(rng) - self.center) / self.scale

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines the trained policy."""
        names = ("start", "classifier_epochs", "epochs", "hidden", "longest", "batch", "learning_rate")
        fields = {name: getattr(self.attack, name) for name in names}
        return {"multi-set inversion": 1, **self._shared_identity, **fields}

    def classifiers(self, context: RunContext) -> "tuple[Linear, ...]":
        """Return linear classifiers trained without each fold of the texts, then those trained on all."""
        fields = {name: getattr(self.attack, name) for name in ("classifier_epochs", "batch", "learning_rate")}
        key = key_of({"classifiers without a part": 1, **fields, **self._shared_identity})
        stage, items = "Training the classifiers of words", range(_FOLDS + 1)
        trained = dict(context.train(stage, key, _train_classifiers, items, {"training": self}))
        return tuple(_linear(trained[item]) for item in items)

    def frequencies(self) -> "Linear":
        """Return linear scores that give each word its frequency, whatever the embedding."""
        return _linear(self.untrained(np.arange(self.texts.taught)))

    def untrained(self, rows: NDArray[np.int64]) -> Arrays:
        """Return classifiers before their training on some of the texts."""
        from core.networks import multilabel

        vectors = self.texts.vectors[rows]
        state = multilabel.initial(vectors, self.texts.present[rows], 0, 0)
        dimension = vectors.shape[1]
        return {**state, "center": np.zeros(dimension, np.float32), "scale": np.ones(dimension, np.float32)}

    @property
    def _shared_identity(self) -> dict[str, Any]:
        return {"contents": contents_key(self.texts), "seed": self.seed}


@dataclass(frozen=True)
class Policy(InversionAdversary):
    """A trained policy.

    Attributes:
        words: The words that it can predict.
        state: Its weights, its threshold, and how training went.
        linear: Linear scores that it corrects.
        sizes: Predicts from an embedding how many words its text has; holds the moments of the embeddings.
        steps: Most words it names for a text.
    """

    words: tuple[str, ...]
    state: Arrays
    linear: "Linear"
    sizes: LinearMap
    steps: int

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Name words one by one until none is likely enough."""
        vectors = (embeddings - self.sizes.center) / self.sizes.scale
        scores = _scores(self.state, vectors, self.linear, self.sizes(embeddings), self.steps)
        return Answer(self.words, scores, scores > self.state["threshold"])

    def explain(self) -> Tables:
        """Return how training went."""
        return {"learning": table(MultisetInversion.tables["learning"], measured(self.state))}


def likelihoods(
    words: NDArray[np.int64], probabilities: NDArray[np.float32], sizes: NDArray[np.float32], vocabulary: int
) -> NDArray[np.float32]:
    """Return a score of each word for each text, (texts, vocabulary): 0 for words that were not named.

    A word named with probability p while r words are expected to be left scores p r, and leaves r - p r. No word
    scores above the one named before.

    Args:
        words: (texts, steps) in the order they were named.
        probabilities: (texts, steps) of each among those not named before.
        sizes: (texts,) number of words expected in each text.
        vocabulary: Number of words that can be named.
    """
    scores = np.zeros((len(words), vocabulary), np.float32)
    left, score = sizes, np.ones(len(words), np.float32)
    for word, probability in zip(words.T, probabilities.T, strict=True):
        score = np.minimum(probability * left, score)
        left = np.maximum(left - score, np.float32(_FEWEST_LEFT))
        scores[np.arange(len(words)), word] = score
    return scores


def _train_classifiers(item: int, training: _Training) -> Arrays:
    """Train linear classifiers on all texts but those of one fold; the last item leaves none out."""
    from core.networks import multilabel
    from core.networks.states import finished

    attack, texts = training.attack, training.texts
    rows = np.flatnonzero(np.arange(texts.taught) % _FOLDS != item)
    course = multilabel.Training(0, attack.classifier_epochs, attack.batch, attack.learning_rate)
    vectors, present, state = texts.vectors[rows], texts.present[rows], training.untrained(rows)
    for number in range(course.epochs):
        rng = generator(training.seed, "classifiers", item, number)
        if texts.known.random:
            vectors = training.drawn(generator(training.seed, "classifiers' noise", item, number))[rows]
        state = multilabel.train_epoch(state, vectors, present, course, number, rng)
    return finished(state)


def _train_epoch(
    item: int,
    training: _Training,
    linear: "tuple[Linear, ...]",
    sizes: NDArray[np.float32],
    steps: int,
    before: Arrays,
    number: int,
) -> Arrays:
    """Train the policy for one epoch; return what the next epoch needs, or after the last what prediction needs."""
    from core.networks import multiset
    from core.networks.states import finished

    attack, texts = training.attack, training.texts
    course = multiset.Training(attack.epochs, attack.batch, attack.learning_rate, _DROPPED, steps)
    vectors, present = training.drawn(generator(training.seed, "noise", number)), texts.present[: texts.taught]
    seed = int(generator(training.seed, "start").integers(2**31))
    start = before or multiset.initial(vectors.shape[1], len(texts.words), attack.hidden, seed)
    rng = generator(training.seed, "pass", number)
    after = multiset.train_epoch(start, vectors, present, linear[:-1], course, number, rng)
    scores = _scores(after, texts.left_out[0], linear[-1], sizes, steps)
    state = finished(after) if number + 1 == attack.epochs else after
    return {**state, **evaluated(before, after["loss"], scores, texts)}


def _scores(
    state: Arrays, vectors: NDArray[np.float32], linear: "Linear", sizes: NDArray[np.float32], steps: int
) -> NDArray[np.float32]:
    """Return a policy's scores for embeddings of zero mean and unit variance, (texts, words)."""
    from core.networks import multiset

    left = np.maximum(sizes, np.float32(_FEWEST_LEFT))
    return likelihoods(*multiset.predict(state, vectors, linear, steps), left, len(linear[1]))


def _linear(state: Arrays) -> "Linear":
    """Return weights and biases of linear classifiers."""
    return state["weight.0.weight"], state["weight.0.bias"]
