"""A classifier of the words behind an embedding, which adversaries train on auxiliary texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.inversion.contract import Answer, Examined, InversionAdversary, measured
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.text import word_sets

LEARNING: Schema = {
    "epochs": Column("int32", "Epochs trained so far."),
    "loss": Column("float64", "Mean loss of a text in that epoch, summed over the words, in nats."),
    "left_out_f1": Column("float64", "F1 after it on the adversary's held-out texts."),
}
"""Loss and held-out F1 of a classifier after each epoch."""


@dataclass(frozen=True)
class WordClassifierTraining:
    """What a classifier of words learns from, and how; known noise is drawn afresh in each epoch.

    Attributes:
        texts: The auxiliary texts.
        hidden: Rectified units between embedding and words; 0 for none.
        epochs: Epochs over the texts.
        batch: Texts in a batch.
        learning_rate: Adam's step size at the start; falls to zero along a half cosine.
        seed: Source of all randomness.
    """

    texts: Examined
    hidden: int
    epochs: int
    batch: int
    learning_rate: float
    seed: int

    def run(self, context: RunContext) -> "WordClassifier":
        """Train, and choose the threshold after each epoch on the held-out texts."""

        def on_epoch(number: int, state: Mapping[int, Arrays]) -> None:
            context.progress.partial(measured(state[0]))

        stage, shared = "Training the classifier of words", {"training": self}
        state = train_by_epochs(context, stage, self.identity, _train_epoch, [0], self.epochs, shared, on_epoch)
        return WordClassifier(self.texts.words, state[0])

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines the classifier, plain values."""
        fields = {name: getattr(self, name) for name in ("hidden", "epochs", "batch", "learning_rate", "seed")}
        return {"multi-label inversion": 1, **fields, "contents": contents_key(self.texts)}


@dataclass(frozen=True)
class WordClassifier(InversionAdversary):
    """A trained classifier of words.

    Attributes:
        words: The words that it can predict.
        state: Its weights, its threshold, and how training went.
    """

    words: tuple[str, ...]
    state: Arrays

    def probabilities(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each word, (texts, words)."""
        from core.networks import multilabel

        return multilabel.probabilities(self.state, embeddings)

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Name the words above the threshold."""
        probabilities = self.probabilities(embeddings)
        return Answer(self.words, probabilities, probabilities > self.state["threshold"])

    def explain(self) -> Tables:
        """Return how training went."""
        return {"learning": table(LEARNING, measured(self.state))}


def contents_key(texts: Examined) -> str:
    """Return a key of the embeddings and words of auxiliary texts."""
    return texts.known.key + content_key(texts.vectors, texts.present.indptr, texts.present.indices, texts.sizes)


def evaluated(before: Arrays, loss: Any, probabilities: NDArray[np.float32], texts: Examined) -> Arrays:
    """Return the best threshold on the held-out texts, and loss and F1 of every epoch so far.

    Args:
        before: The state after the epoch before, an empty mapping at first.
        loss: Mean loss of this epoch.
        probabilities: (held-out texts, words) after this epoch.
        texts: The auxiliary texts.
    """
    _, present, sizes = texts.left_out
    threshold, f1 = word_sets.best_threshold(probabilities, present, sizes)
    history = {
        name: np.append(before[name] if before else [], value) for name, value in (("loss", loss), ("left_out_f1", f1))
    }
    return {"threshold": np.array(threshold), **history}


def _train_epoch(item: int, training: WordClassifierTraining, before: Arrays, number: int) -> Arrays:
    """Train for one epoch; return what the next epoch needs, or after the last what prediction needs."""
    from core.networks import multilabel
    from core.networks.states import finished

    texts, seed = training.texts, training.seed
    course = multilabel.Training(training.hidden, training.epochs, training.batch, training.learning_rate)
    vectors, present = texts.drawn(generator(seed, "noise", number)), texts.present[: texts.taught]
    start = before or multilabel.initial(
        vectors, present, training.hidden, int(generator(seed, "start").integers(2**31))
    )
    after = multilabel.train_epoch(start, vectors, present, course, number, generator(seed, "pass", number))
    state = finished(after) if number + 1 == training.epochs else after
    probabilities = multilabel.probabilities(after, texts.left_out[0])
    scaling = {"center": after["center"], "scale": after["scale"]}
    return {**state, **scaling, **evaluated(before, after["loss"], probabilities, texts)}
