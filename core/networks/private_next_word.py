"""Trains networks of the next word with differentially private gradients."""

import warnings
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from opacus import GradSampleModule
from opacus.optimizers import DPOptimizer
from opacus.validators import ModuleValidator
from torch import nn

from core.encoders.network import device_of
from core.networks.next_word import NextWordNetwork, Shape, restored
from core.networks.states import Arrays, adam, moments, weights
from core.statistics.privacy import steps_per_epoch
from core.text.vocabulary import BOUNDARY

_TOGETHER = 32
"""Documents of which the gradients are in memory at a time, at most."""

_MEMORY = 2**30
"""Bytes that these gradients may take."""


def train_pass_privately(
    shape: Shape,
    state: Arrays,
    documents: Sequence[NDArray[np.int64]],
    *,
    batch: int,
    learning_rate: float,
    norm: float,
    noise: float,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Train for one pass over documents, each of them a part of as many steps as chance has it, one on average.

    Args:
        shape: What the network is made of; with a full softmax.
        state: What `core.networks.next_word.initial` or the pass before returned.
        documents: Token ids of each document.
        batch: Documents of a step, on average.
        learning_rate: Adam's step size.
        norm: Length to which the gradient of a document is cut.
        noise: Standard deviation of the noise in a step, in norms.
        rng: Source of all randomness.

    Returns:
        The new state: weights, Adam's steps and moments.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    device = torch.device(device_of("auto"))
    fixed = cast(NextWordNetwork, ModuleValidator.fix(restored(shape, state)))  # another LSTM, with the same weights
    GradSampleModule(fixed.to(device).train(), loss_reduction="sum")  # hooks itself into every layer
    plain = adam(fixed, state, learning_rate)
    optimiser = DPOptimizer(
        plain,
        noise_multiplier=noise,
        max_grad_norm=norm,
        expected_batch_size=batch,
        loss_reduction="sum",
        generator=torch.Generator(device).manual_seed(int(rng.integers(2**31))),
    )
    size = 4 * sum(parameter.numel() for parameter in fixed.parameters())
    together = max(min(_TOGETHER, _MEMORY // size), 1)
    for _ in range(steps_per_epoch(len(documents), batch)):
        drawn = np.flatnonzero(rng.random(len(documents)) < batch / len(documents))
        parts = np.array_split(drawn, max(-(-len(drawn) // together), 1))
        for number, part in enumerate(parts):
            optimiser.signal_skip_step(number + 1 < len(parts))
            optimiser.zero_grad(set_to_none=True)
            tokens, following, share = (
                torch.from_numpy(array).to(device)
                for array in _stretches([documents[row] for row in part], shape.length, rng)
            )
            found = fixed.output(fixed(tokens)).transpose(1, 2)  # (documents, words, time)
            each = (nn.functional.cross_entropy(found, following, reduction="none") * share).sum(dim=1)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Full backward hook is firing")  # words have no gradient, as is right
                each.sum().backward()
            optimiser.step()
    own = {name: weight for name, weight in weights(fixed).items() if name in state}  # under their usual names only
    return {**own, **moments(fixed, plain)}


def _stretches(
    documents: Sequence[NDArray[np.int64]], length: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return a random stretch of each document, what follows each word, and the share of each in the loss.

    Without any document there is one row that counts for nothing, so that a step that draws none still adds its noise.

    Returns:
        Each (documents, time); the shares of a document's words add to 1.
    """
    tokens = np.full((max(len(documents), 1), length + 1), BOUNDARY)
    share = np.zeros((len(tokens), length), np.float32)
    for row, document in enumerate(documents):
        whole = np.concatenate([[BOUNDARY], document, [BOUNDARY]])
        first = int(rng.integers(max(len(whole) - length, 1)))
        stretch = whole[first : first + length + 1]
        tokens[row, : len(stretch)] = stretch
        share[row, : len(stretch) - 1] = 1 / (len(stretch) - 1)
    return tokens[:, :-1], tokens[:, 1:], share
