"""A multilayer perceptron that predicts one of several classes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

Draw = Callable[[np.random.Generator, int], tuple[NDArray[np.float32], NDArray[np.int64]]]
"""A generator and a batch size in; a random batch out, (batch, inputs) and (batch,) classes."""

_BLOCK = 8192
_LEAST_SPREAD = 1e-6


@dataclass(frozen=True)
class Perceptron:
    """Layers of sigmoid units and a softmax, on standardised inputs.

    Attributes:
        center: (inputs,) mean of each input.
        scale: (inputs,) standard deviation of each input.
        layers: Weights (in, out) and biases (out,), first layer first, with batch normalisation folded in.
    """

    center: NDArray[np.float32]
    scale: NDArray[np.float32]
    layers: tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]

    def hidden(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the last hidden layer, (rows, units)."""
        state = (inputs - self.center) / self.scale
        for weight, bias in self.layers[:-1]:
            state = 1 / (1 + np.exp(-np.clip(state @ weight + bias, -50, 50)))
        return np.asarray(state, dtype=np.float32)

    def decide(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each class for rows of the last hidden layer, (rows, classes)."""
        from scipy.special import softmax

        weight, bias = self.layers[-1]
        return np.asarray(softmax(hidden @ weight + bias, axis=1), dtype=np.float32)

    def probabilities(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each class, (rows, classes)."""
        blocks = [self.decide(self.hidden(inputs[start : start + _BLOCK])) for start in range(0, len(inputs), _BLOCK)]
        return np.concatenate(blocks) if blocks else np.empty((0, len(self.layers[-1][1])), np.float32)

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the perceptron as arrays for the store; `from_arrays` is the inverse."""
        arrays: dict[str, NDArray[Any]] = {"center": self.center, "scale": self.scale}
        for depth, (weight, bias) in enumerate(self.layers):
            arrays |= {f"weight_{depth}": weight, f"bias_{depth}": bias}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Perceptron":
        """Read what `as_arrays` returned."""
        depths = range(sum(name.startswith("weight_") for name in arrays))
        layers = tuple((arrays[f"weight_{depth}"], arrays[f"bias_{depth}"]) for depth in depths)
        return cls(arrays["center"], arrays["scale"], layers)


@dataclass(frozen=True)
class Training:
    """How a perceptron is trained.

    Attributes:
        hidden: Units of each hidden layer.
        steps: Number of batches.
        batch: Examples in a batch.
        learning_rate: Adam's step size at the start; falls to zero along a half cosine.
        batch_norm: Whether the hidden layers have batch normalisation.
        dropout: Dropout of each hidden layer.
    """

    hidden: tuple[int, ...]
    steps: int
    batch: int = 128
    learning_rate: float = 1e-3
    batch_norm: bool = False
    dropout: float = 0.0


def train(
    draw: Draw,
    sample: NDArray[np.float32],
    answers: int,
    training: Training,
    rng: np.random.Generator,
    stops: Sequence[int] = (),
) -> Iterator[Perceptron]:
    """Train on batches drawn at random, with one thread.

    Args:
        draw: Gives the batches.
        sample: Inputs for mean and variance, (rows, inputs).
        answers: Number of classes.
        training: How to train.
        rng: Source of all randomness.
        stops: Steps after which to yield the network so far.

    Yields:
        The network after each stop, and finally the trained one.
    """
    import torch

    from core.networks.states import begin, descend

    begin(rng)
    center, scale = moments(sample)
    network = _network(sample.shape[1], answers, training)
    optimiser = torch.optim.Adam(network.parameters(), lr=training.learning_rate, fused=True)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(training.steps, 1))
    shift, width = torch.from_numpy(center), torch.from_numpy(scale)
    for step in range(1, training.steps + 1):
        inputs, truth = draw(rng, training.batch)
        scores = network((torch.from_numpy(inputs) - shift) / width)  # (batch, answers)
        loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(truth))
        descend(optimiser, loss)
        schedule.step()
        if step in stops and step < training.steps:
            yield _frozen(network, center, scale)
    yield _frozen(network, center, scale)


def moments(sample: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return mean and standard deviation of each input, with 1 in place of a deviation of 0.

    An input that is constant in training must not dominate the others if it varies later.
    """
    center, spread = sample.mean(axis=0, dtype=np.float64), sample.std(axis=0, dtype=np.float64)
    varies = spread > _LEAST_SPREAD * (1 + np.abs(center))
    return center.astype(np.float32), np.where(varies, spread, 1.0).astype(np.float32)


def batches(inputs: NDArray[np.float32], truth: NDArray[np.int64]) -> Draw:
    """Return a draw of rows with replacement."""

    def draw(rng: np.random.Generator, size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        rows = rng.integers(len(inputs), size=size)
        return inputs[rows], truth[rows]

    return draw


def _network(inputs: int, answers: int, training: Training) -> "torch.nn.Sequential":
    from torch import nn

    sizes = [inputs, *training.hidden]
    layers: list[nn.Module] = []
    for wide, narrow in pairwise(sizes):
        layers.append(nn.Linear(wide, narrow))
        if training.batch_norm:
            layers.append(nn.BatchNorm1d(narrow))
        layers.append(nn.Sigmoid())
        if training.dropout:
            layers.append(nn.Dropout(training.dropout))
    return nn.Sequential(*layers, nn.Linear(sizes[-1], answers))


def _frozen(network: "torch.nn.Sequential", center: NDArray[np.float32], scale: NDArray[np.float32]) -> Perceptron:
    from torch import nn

    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
    for module in network:
        if isinstance(module, nn.Linear):
            layers.append((module.weight.detach().numpy().T.copy(), module.bias.detach().numpy().copy()))
        elif isinstance(module, nn.BatchNorm1d):
            weight, bias = layers[-1]
            state = {name: value.numpy() for name, value in module.state_dict().items()}
            slope = state["weight"] / np.sqrt(state["running_var"] + module.eps)
            layers[-1] = (weight * slope, (bias - state["running_mean"]) * slope + state["bias"])
    return Perceptron(center, scale, tuple(layers))
