"""A network that predicts which of many labels apply."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.networks.perceptron import moments
from core.runtime.context import Arrays

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from torch import nn

_BLOCK = 2048


@dataclass(frozen=True)
class Training:
    """How a network is trained.

    Attributes:
        hidden: ReLUs between inputs and labels; 0 for none.
        epochs: Epochs over the examples.
        batch: Examples in a batch.
        learning_rate: Adam's step size at the start; falls to zero along a half cosine.
    """

    hidden: int
    epochs: int
    batch: int
    learning_rate: float


def initial(inputs: NDArray[np.float32], labels: "csr_array", hidden: int, seed: int) -> dict[str, NDArray[Any]]:
    """Return an untrained network that predicts the frequency of each label, whatever the input.

    Inputs are (examples, inputs), labels are (examples, labels) of 0 and 1.
    """
    import torch

    from core.networks import states

    torch.manual_seed(seed)
    network = _network(inputs.shape[1], hidden, labels.shape[1])
    counts = np.asarray(labels.sum(axis=0)).ravel()
    frequency = np.clip((counts + 0.5) / (labels.shape[0] + 1), 1e-6, 1 - 1e-6)
    state, last = states.weights(network), f"weight.{len(network) - 1}"
    state[f"{last}.weight"] = np.zeros_like(state[f"{last}.weight"])
    state[f"{last}.bias"] = np.log(frequency / (1 - frequency)).astype(np.float32)
    center, scale = moments(inputs)
    return {**state, "center": center, "scale": scale}


def train_epoch(
    before: Arrays,
    inputs: NDArray[np.float32],
    labels: "csr_array",
    training: Training,
    number: int,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Return the state after one epoch, with one thread.

    The loss is the binary cross-entropy summed over the labels and averaged over the examples.

    Args:
        before: State from `initial` or the previous epoch.
        inputs: (examples, inputs).
        labels: (examples, labels) of 0 and 1.
        training: Settings.
        number: Number of the epoch, from 0.
        rng: Draws the order of the examples.
    """
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    from core.networks import states

    torch.set_num_threads(1)
    network = states.load(_network(inputs.shape[1], training.hidden, labels.shape[1]), before)
    optimiser = states.adam(network, before, training.learning_rate)
    center, scale = before["center"], before["scale"]
    order = rng.permutation(len(inputs))
    starts = range(0, len(order), training.batch)
    losses = []
    for step, start in enumerate(starts):
        done = (number + step / len(starts)) / training.epochs
        optimiser.param_groups[0]["lr"] = training.learning_rate * (1 + cos(pi * done)) / 2
        rows = np.sort(order[start : start + training.batch])
        scores = network(torch.from_numpy((inputs[rows] - center) / scale))
        truth = torch.from_numpy(labels[rows].toarray())
        loss = binary_cross_entropy_with_logits(scores, truth, reduction="sum") / len(rows)
        states.descend(optimiser, loss)
        losses.append(loss.item())
    return {
        **states.weights(network),
        **states.moments(network, optimiser),
        "center": center,
        "scale": scale,
        "loss": np.array(np.mean(losses)),
    }


def probabilities(state: Mapping[str, NDArray[Any]], inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probability of each label, (examples, labels); the library that trains is not loaded for it."""
    from scipy.special import expit

    layers = [name.removesuffix("weight") for name in state if name.startswith("weight.") and name.endswith(".weight")]
    label_probabilities = np.empty((len(inputs), len(state[f"{max(layers)}bias"])), np.float32)
    for start in range(0, len(inputs), _BLOCK):
        block = slice(start, start + _BLOCK)
        values = (inputs[block] - state["center"]) / state["scale"]
        for depth, layer in enumerate(sorted(layers)):
            values = (np.maximum(values, 0) if depth else values) @ state[f"{layer}weight"].T
            values += state[f"{layer}bias"]
        expit(values, out=label_probabilities[block])
    return label_probabilities


def _network(inputs: int, hidden: int, labels: int) -> "nn.Sequential":
    from torch import nn

    if not hidden:
        return nn.Sequential(nn.Linear(inputs, labels))
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, labels))
