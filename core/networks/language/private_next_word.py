"""Differentially private training of language models."""

import warnings
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from opacus import GradSampleModule
from opacus.validators import ModuleValidator
from torch import nn

from core.encoders.devices import device_of
from core.networks.language.next_word import NextWordNetwork, Shape, restored
from core.networks.private_steps import PrivateSteps, at_most, state_after
from core.networks.states import Arrays, begin
from core.text.vocabulary import BOUNDARY

_AT_ONCE = 32
"""Most documents whose gradients are in memory at a time."""

_MEMORY = 2**30
"""Most bytes of these gradients."""


def train_epoch_privately(
    shape: Shape,
    state: Arrays,
    documents: Sequence[NDArray[np.int64]],
    steps: PrivateSteps,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Train for one epoch; each step draws each document independently, so that it is drawn once on average.

    Arguments and result are those of `core.networks.language.next_word.train_epoch`, but the softmax is full, and a
    step has documents instead of rows.
    """
    begin(rng)
    device = device_of("auto")
    network = cast(NextWordNetwork, ModuleValidator.fix(restored(shape, state)))  # Opacus's LSTM, the same weights
    GradSampleModule(network.to(device).train(), loss_reduction="sum")  # hooks itself into every layer
    optimiser = steps.optimiser(network, state, rng, device)
    size = 4 * sum(parameter.numel() for parameter in network.parameters())
    at_once = at_most(max(min(_AT_ONCE, _MEMORY // size), 1))
    for part in steps.drawn(optimiser, len(documents), at_once, rng):
        tokens, following, share = (
            torch.from_numpy(array).to(device)
            for array in _stretches([documents[row] for row in part], shape.length, rng)
        )
        scores = network.output(network(tokens)).transpose(1, 2)  # (documents, words, time)
        losses = (nn.functional.cross_entropy(scores, following, reduction="none") * share).sum(dim=1)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Full backward hook is firing")  # words have no gradient
            losses.sum().backward()
    return state_after(network, state, optimiser)


def _stretches(
    documents: Sequence[NDArray[np.int64]], length: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return a random stretch of each document, the next words, and the weights of the losses, (documents, time) each.

    The weights of a document add up to 1. Without documents there is one row of weight 0, so that a step that draws
    none still adds its noise.
    """
    tokens = np.full((max(len(documents), 1), length + 1), BOUNDARY)
    share = np.zeros((len(tokens), length), np.float32)
    for row, document in enumerate(documents):
        framed = np.concatenate([[BOUNDARY], document, [BOUNDARY]])
        first = int(rng.integers(max(len(framed) - length, 1)))
        stretch = framed[first : first + length + 1]
        tokens[row, : len(stretch)] = stretch
        share[row, : len(stretch) - 1] = 1 / (len(stretch) - 1)
    return tokens[:, :-1], tokens[:, 1:], share
