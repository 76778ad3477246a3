"""A Transformer that writes the text behind a vector."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import cross_entropy

from core.networks import beam_search, perceptron
from core.networks.states import Arrays, adam, begin, descend, load, weights
from core.networks.states import moments as adam_moments
from core.networks.transformer import DecoderLayer, Shape, Writer, linear, token_vectors
from core.networks.translation import Tokens, batches, padded, shuffled, with_ends
from core.text.subwords import BOUNDARY, PADDING

_CLIP = 1.0
_WARM_UP = 0.03
"""Share of the steps in which the step size rises."""
_AT_ONCE = 1024
"""Texts in a batch of beam search, over the width of the beam."""
_TOKENS_AT_ONCE = 65 * _AT_ONCE
"""Most tokens of all these texts, which bounds the memory for keys and values where they are long."""


@dataclass(frozen=True)
class Course:
    """How a decoder is trained.

    Attributes:
        shape: Sizes of the network; a text has no source tokens.
        slots: Vectors that the decoder attends to, each a linear map of the vector that it writes from.
        epochs: Epochs over the texts.
        batch_tokens: Most tokens in a batch, padding included.
        learning_rate: Adam's largest step size.
    """

    shape: Shape
    slots: int
    epochs: int
    batch_tokens: int
    learning_rate: float


class VectorDecoder(Writer):
    """A decoder that attends to linear maps of a vector, as Vec2Text does (Morris et al. 2023)."""

    def __init__(self, shape: Shape, slots: int, inputs: int) -> None:
        super().__init__()
        self.shape, self.slots = shape, slots
        self.reading = linear(inputs, slots * shape.dimension, parts=slots)
        self.encoded = nn.LayerNorm(shape.dimension)
        self.writing = token_vectors(shape.targets, shape.dimension)
        self.output = nn.Linear(shape.dimension, shape.targets)
        self.output.weight = self.writing.weight
        nn.init.zeros_(self.output.bias)
        self.dropout = nn.Dropout(shape.dropout[0])
        self.decoder = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.layers))
        self.decoded = nn.LayerNorm(shape.dimension)

    def encode(self, sources: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return what the decoder attends to, (batch, slots, d), for vectors, (batch, inputs); nothing is masked."""
        return self.encoded(self.reading(sources).view(len(sources), self.slots, -1)), None


def train_epoch(
    before: Arrays, vectors: NDArray[np.float32], texts: Tokens, course: Course, number: int, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Return the state after one epoch of teacher forcing, with one thread.

    The step size rises for the first 3% of the steps, and falls from there to zero along a half cosine.

    Args:
        before: State from the previous epoch; empty before the first.
        vectors: (texts, inputs).
        texts: Tokens of each text.
        course: Settings.
        number: Number of the epoch, from 0.
        rng: Source of all randomness.

    Returns:
        Weights, mean and scale of the inputs, Adam's steps and moments, and ``loss``: the mean of a token, in nats.
    """
    begin(rng)
    network = VectorDecoder(course.shape, course.slots, vectors.shape[1])
    if before:
        load(network, before)
        center, scale = before["center"], before["scale"]
    else:
        center, scale = perceptron.moments(vectors)
    optimiser = adam(network.train(), before, course.learning_rate, fused=True)
    lengths = np.array([[len(text) + 1] for text in texts], np.int64).reshape(-1, 1)
    groups = shuffled(lengths, course.batch_tokens, rng)
    total, count = 0.0, 0
    for step, rows in enumerate(groups):
        done = (number + step / len(groups)) / course.epochs
        for group in optimiser.param_groups:
            group["lr"] = course.learning_rate * min((done + 1e-3) / _WARM_UP, (1 + math.cos(math.pi * done)) / 2, 1)
        loss, tokens = _loss(network, (vectors[rows] - center) / scale, [texts[row] for row in rows])
        descend(optimiser, loss / tokens, list(network.parameters()), _CLIP)
        total, count = total + loss.item(), count + tokens
    state = {**weights(network), **adam_moments(network, optimiser), "center": center, "scale": scale}
    return {**state, "loss": np.array(total / max(count, 1))}


@torch.inference_mode()
def mean_loss(state: Arrays, vectors: NDArray[np.float32], texts: Tokens, course: Course) -> float:
    """Return the mean loss of a token of texts, in nats, ends included; NaN without any text."""
    torch.set_num_threads(1)
    network, lengths = _restored(state, course), np.array([[len(text) + 1] for text in texts], np.int64).reshape(-1, 1)
    total, count = 0.0, 0
    for rows in batches(lengths, np.arange(len(texts)), course.batch_tokens):
        loss, tokens = _loss(network, (vectors[rows] - state["center"]) / state["scale"], [texts[row] for row in rows])
        total, count = total + loss.item(), count + tokens
    return total / count if count else math.nan


@torch.inference_mode()
def write(
    state: Arrays, vectors: NDArray[np.float32], course: Course, beam: int, longest: int
) -> list[list[NDArray[np.int64]]]:
    """Return for each vector the tokens of the texts that a beam search ends with, the likeliest first.

    Args:
        state: State from `train_epoch`.
        vectors: (vectors, inputs).
        course: Settings of the training.
        beam: Width of the beam.
        longest: Most tokens of a text, its end included.
    """
    torch.set_num_threads(1)
    network, written = _restored(state, course), []
    inputs = torch.from_numpy(np.asarray((vectors - state["center"]) / state["scale"], np.float32))
    texts_at_once = min(_AT_ONCE, _TOKENS_AT_ONCE // longest)
    for rows in inputs.split(max(texts_at_once // beam, 1)):
        texts, totals = beam_search.finished(network, rows, beam, torch.full((len(rows),), longest))
        order = totals.argsort(dim=1, descending=True, stable=True)
        texts = texts.gather(1, order[:, :, None].expand_as(texts))
        written += [[text[(text != PADDING) & (text != BOUNDARY)] for text in group] for group in texts.numpy()]
    return written


def _restored(state: Arrays, course: Course) -> VectorDecoder:
    network = VectorDecoder(course.shape, course.slots, len(state["center"]))
    return load(network, state).eval().requires_grad_(requires_grad=False)


def _loss(
    network: VectorDecoder, inputs: NDArray[np.floating[Any]], texts: Sequence[NDArray[np.int64]]
) -> tuple[torch.Tensor, int]:
    """Return the loss summed over all tokens of texts, ends included, and their number."""
    prefixes, following = padded([np.concatenate([[BOUNDARY], text]) for text in texts]), with_ends(texts)
    is_token = following != PADDING
    hidden = network(torch.from_numpy(np.asarray(inputs, np.float32)), prefixes)[is_token]
    return cross_entropy(network.output(hidden), following[is_token], reduction="sum"), int(is_token.sum())
