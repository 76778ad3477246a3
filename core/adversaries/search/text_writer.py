"""A decoder that writes texts from embeddings, which adversaries train on auxiliary texts."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.adversaries.search.bigram_model import BigramModel, Proposal
from core.games.inversion.contract import Examined
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.text.subwords import Subwords

if TYPE_CHECKING:
    from core.networks.vector_decoder import Course

DECODING: Schema = {
    "epochs": Column("int32", "Epochs trained so far."),
    "loss": Column("float64", "Mean loss of a token in that epoch, in nats."),
    "left_out_loss": Column("float64", "Mean loss of a token after it on the adversary's held-out texts, in nats."),
}
"""Losses of a decoder by epoch."""

_HEAD = 64
"""Numbers of an attention head."""
_DROPOUT = 0.1

Normalise = Callable[[NDArray[np.float32]], NDArray[np.float32]]


@dataclass(frozen=True)
class Sizes:
    """Sizes of a decoder, and how it is trained.

    Attributes:
        subwords: Most subwords of its vocabulary.
        longest: Subwords at which a text is cut off.
        layers: Its layers.
        heads: Its attention heads; its hidden states have 64 numbers for each.
        slots: Vectors that it attends to, each a linear map of the embedding.
        epochs: Epochs over the texts.
        batch_tokens: Most tokens in a batch.
        learning_rate: Adam's largest step size.
    """

    subwords: int
    longest: int
    layers: int
    heads: int
    slots: int
    epochs: int
    batch_tokens: int
    learning_rate: float

    def course(self, vocabulary: int) -> "Course":
        """Return the settings of a network with this many subwords."""
        from core.networks.transformer import Shape
        from core.networks.vector_decoder import Course

        width = _HEAD * self.heads
        shape = Shape(
            sources=0,
            targets=vocabulary,
            tied=False,
            layers=self.layers,
            dimension=width,
            heads=self.heads,
            feed_forward=4 * width,
            dropout=(_DROPOUT, _DROPOUT),
        )
        return Course(shape, self.slots, self.epochs, self.batch_tokens, self.learning_rate)


@dataclass(frozen=True)
class TextWriterTraining:
    """What a decoder learns from, and how; known noise is drawn afresh in each epoch.

    Attributes:
        texts: The auxiliary texts.
        strings: The same texts, as strings.
        normalise: What is done to embeddings before they are read.
        sizes: Of the decoder.
        seed: Source of all randomness.
    """

    texts: Examined
    strings: Sequence[str]
    normalise: Normalise
    sizes: Sizes
    seed: int

    def run(self, context: RunContext) -> "TextWriter":
        """Train, and measure the loss on the held-out texts after each epoch."""
        subwords = Subwords.learn(self.strings[: self.texts.taught], self.sizes.subwords)
        tokens = [row[: self.sizes.longest] for row in subwords.encode(self.strings)]
        shared = {"training": self, "tokens": tokens, "vocabulary": len(subwords)}
        stage = "Training the decoder"
        state = train_by_epochs(context, stage, self.identity, _train_epoch, [0], self.sizes.epochs, shared)
        return TextWriter(self.sizes, subwords, max(map(len, tokens[: self.texts.taught])) + 1, state[0])

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines the decoder, plain values."""
        contents = self.texts.known.key + content_key(self.texts.vectors)
        texts = {"strings": list(self.strings), "taught": self.texts.taught}
        return {"text writer": 1, **asdict(self.sizes), "seed": self.seed, "contents": contents, **texts}


@dataclass(frozen=True)
class TextWriter:
    """A trained decoder.

    Attributes:
        sizes: Of the decoder.
        subwords: What it writes.
        longest: Most subwords of a text, its end included.
        state: Its weights, and how training went.
    """

    sizes: Sizes
    subwords: Subwords
    longest: int
    state: Arrays

    def write(self, embeddings: NDArray[np.float32], count: int) -> list[list[str]]:
        """Return at most ``count`` texts for each embedding, (texts, dimension), normalised; the likeliest first."""
        from core.networks import vector_decoder

        course = self.sizes.course(len(self.subwords))
        written = vector_decoder.write(self.state, embeddings, course, count, self.longest)
        return [self.subwords.decode(group) for group in written]

    def proposals(self, bigrams: BigramModel, embeddings: NDArray[np.float32], count: int) -> list[list[Proposal]]:
        """Return what is written, as tokens of a bigram model, which can edit it; other words are left out."""
        return [list(map(bigrams.numbers, texts)) for texts in self.write(embeddings, count)]

    def explain(self) -> Tables:
        """Return how training went."""
        losses = zip(self.state["losses"].tolist(), self.state["left_out_losses"].tolist(), strict=True)
        rows = [{"epochs": at, "loss": loss, "left_out_loss": out} for at, (loss, out) in enumerate(losses, start=1)]
        return {"decoding": table(DECODING, rows)}


def _train_epoch(
    item: int,
    training: TextWriterTraining,
    tokens: Sequence[NDArray[np.int64]],
    vocabulary: int,
    before: Arrays,
    number: int,
) -> Arrays:
    """Train for one epoch; return what the next epoch needs, or after the last what writing needs."""
    from core.networks import vector_decoder
    from core.networks.states import finished

    texts, course = training.texts, training.sizes.course(vocabulary)
    taught, left_out = slice(texts.taught), slice(texts.taught, None)
    vectors = training.normalise(texts.drawn(generator(training.seed, "decoder's noise", number)))
    rng = generator(training.seed, "decoder", number)
    after = vector_decoder.train_epoch(before, vectors, tokens[taught], course, number, rng)
    held_out = vector_decoder.mean_loss(after, training.normalise(texts.vectors[left_out]), tokens[left_out], course)
    measured = (("losses", float(after["loss"])), ("left_out_losses", held_out))
    history = {name: np.array([*(before[name] if before else ()), value]) for name, value in measured}
    scaling = {"center": after["center"], "scale": after["scale"]}
    last = number + 1 == training.sizes.epochs
    return {**(finished(after) if last else after), **scaling, **history}
