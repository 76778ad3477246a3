"""A classifier of the words behind an embedding: what adversaries learn from texts of their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.inversion.contract import Answer, Examined, InversionAdversary, measured
from core.result import Column, Schema, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.text import word_sets

if TYPE_CHECKING:
    import pandas as pd

LEARNING: Schema = {
    "epochs": Column("int32", "Passes of training by then."),
    "loss": Column("float64", "Mean loss a text during that pass, summed over the words, in nats."),
    "left_out_f1": Column("float64", "F1 after it on the adversary's texts that do not teach."),
}
"""How a classifier learns, pass by pass."""


@dataclass(frozen=True)
class Lesson:
    """What a classifier learns from, and how.

    Attributes:
        own: The adversary's texts.
        hidden: Rectified units between embedding and words; 0 for none.
        epochs: Passes over the texts.
        batch: Texts in a batch.
        learning_rate: Adam's step size at the start; falls to zero along a half cosine.
        seed: Source of all randomness.
    """

    own: Examined
    hidden: int
    epochs: int
    batch: int
    learning_rate: float
    seed: int

    def learn(self, context: RunContext) -> "Classifier":
        """Train pass by pass; choose the threshold after each, on texts that do not teach."""

        def on_epoch(number: int, state: Mapping[int, Arrays]) -> None:
            context.progress.partial(measured(state[0]))

        stage = "Teaching the classifier of words"
        state = train_by_epochs(context, stage, self._identity, _learn, [0], self.epochs, {"lesson": self}, on_epoch)
        return Classifier(self.own.words, state[0])

    @property
    def _identity(self) -> dict[str, Any]:
        """All that determines what is learnt."""
        taught = {name: getattr(self, name) for name in ("hidden", "epochs", "batch", "learning_rate", "seed")}
        own = self.own
        contents = content_key(own.vectors, own.present.indptr, own.present.indices, own.sizes)
        return {"multi-label inversion": 1, **taught, "contents": contents}


@dataclass(frozen=True)
class Classifier(InversionAdversary):
    """A trained classifier of words.

    Attributes:
        words: What it can name.
        state: Its weights, its threshold, and how it learnt.
    """

    words: tuple[str, ...]
    state: Arrays

    def probabilities(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how likely each word stands there, (texts, words)."""
        from core.networks import multilabel

        return multilabel.probabilities(self.state, embeddings)

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Name the words above the threshold."""
        told = self.probabilities(embeddings)
        return Answer(self.words, told, told > self.state["threshold"])

    def explain(self) -> "dict[str, pd.DataFrame]":
        """Return how it learnt."""
        return {"learning": table(LEARNING, measured(self.state))}


def _learn(item: int, lesson: Lesson, before: Arrays, number: int) -> Arrays:
    """Train for one pass; return what the next pass needs, or after the last what reading needs."""
    from core.networks import multilabel
    from core.networks.states import finished

    own = lesson.own
    course = multilabel.Training(lesson.hidden, lesson.epochs, lesson.batch, lesson.learning_rate)
    vectors, present = own.vectors[: own.taught], own.present[: own.taught]
    seed = int(generator(lesson.seed, "start").integers(2**31))
    start = before or multilabel.initial(vectors, present, lesson.hidden, seed)
    after = multilabel.train_epoch(start, vectors, present, course, number, generator(lesson.seed, "pass", number))
    left_out, there, sizes = own.left_out
    threshold, f1 = word_sets.best_threshold(multilabel.probabilities(after, left_out), there, sizes)
    history = {
        name: np.append(before[name] if before else [], value)
        for name, value in (("loss", after["loss"]), ("left_out_f1", f1))
    }
    kept = finished(after) if number + 1 == lesson.epochs else after
    return {**kept, "center": after["center"], "scale": after["scale"], "threshold": np.array(threshold), **history}
