"""A network that maps vectors so that an adversary cannot infer secrets from them (Salamatian et al. 2015)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BLOCK = 8192
_BETAS = (0.5, 0.99)
"""Adam's decay rates, smaller than usual because the other network changes all the time."""


@dataclass(frozen=True)
class Mapping:
    """A perceptron with one hidden layer of ReLUs, on standardised inputs, whose output has the scale of its input.

    Attributes:
        center: (inputs,) mean of each input.
        scale: (inputs,) standard deviation of each input; 1 for a constant one.
        inward: Weight (inputs, units) and bias (units,).
        outward: Weight (units, inputs) and bias (inputs,).
        residual: Whether the output is a correction that is added to the input.
    """

    center: NDArray[np.float32]
    scale: NDArray[np.float32]
    inward: tuple[NDArray[np.float32], NDArray[np.float32]]
    outward: tuple[NDArray[np.float32], NDArray[np.float32]]
    residual: bool

    def __call__(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the mapped vectors, (rows, inputs)."""
        mapped = np.empty_like(inputs)
        for start in range(0, len(inputs), _BLOCK):
            block = slice(start, start + _BLOCK)
            plain = (inputs[block] - self.center) / self.scale
            hidden = np.maximum(plain @ self.inward[0] + self.inward[1], 0)  # (block, units)
            output = hidden @ self.outward[0] + self.outward[1]  # (block, inputs)
            mapped[block] = (plain + output if self.residual else output) * self.scale + self.center
        return mapped


@dataclass(frozen=True)
class Training:
    """How the two networks are trained against each other.

    Attributes:
        price: Weight of the distortion (lambda).
        rounds: Rounds in which the adversary is trained, then the mapping.
        adversary_steps: Batches of the adversary per round.
        mapping_steps: Batches of the mapping per round.
        residual: Whether the mapping is a correction added to its input.
        units: Hidden units of either network.
        batch: Examples in a batch.
        adversary_rate: Adam's step size for the adversary; larger, to keep up with the mapping.
        mapping_rate: Adam's step size for the mapping.
    """

    price: float
    rounds: int
    adversary_steps: int = 5
    mapping_steps: int = 1
    residual: bool = True
    units: int = 200
    batch: int = 64
    adversary_rate: float = 5e-3
    mapping_rate: float = 3e-4


def train(
    inputs: NDArray[np.float32], truth: Sequence[NDArray[np.int64]], training: Training, rng: np.random.Generator
) -> Mapping:
    """Train the mapping against an adversary with one head per secret, with one thread.

    The two cycle around each other and do not converge. Step sizes therefore stay constant, and the mapping returned
    has the mean of its weights over the second half of the rounds.

    Texts are drawn so that the values of each secret are balanced on average, and the loss of each head is weighted so
    that its own values are balanced exactly. A head without information then gives each value the same probability,
    which is what the mapping drives every head to.

    Args:
        inputs: (rows, inputs) vectors.
        truth: For each secret (rows,) its values, numbered from 0; at least two, all of which occur.
        training: How to train.
        rng: Source of all randomness.
    """
    import torch
    from torch.nn.functional import log_softmax

    from core.networks.states import begin

    begin(rng)
    center, scale = _standard(inputs)
    vectors = torch.from_numpy((inputs - center) / scale)
    answers = torch.from_numpy(np.stack(truth, axis=1))  # (rows, secrets)
    sizes = [int(answer.max()) + 1 for answer in truth]
    cumulated, weights_of_rows = _balanced(truth)
    weights = torch.from_numpy(weights_of_rows)
    wide = inputs.shape[1]
    inward, outward = torch.nn.Linear(wide, training.units), torch.nn.Linear(training.units, wide)
    mapping = torch.nn.Sequential(inward, torch.nn.ReLU(), outward)
    if training.residual:
        for zero in outward.parameters():
            torch.nn.init.zeros_(zero)
    adversary = torch.nn.Sequential(
        torch.nn.Linear(wide, training.units), torch.nn.Sigmoid(), torch.nn.Linear(training.units, sum(sizes))
    )
    steps_per_round = training.adversary_steps + training.mapping_steps
    optimisers = [
        torch.optim.Adam(network.parameters(), lr=rate, betas=_BETAS, fused=True)
        for network, rate in ((adversary, training.adversary_rate), (mapping, training.mapping_rate))
    ]
    parameters = list(mapping.parameters())
    means, averaged = [parameter.detach().clone() for parameter in parameters], 0
    for step in range(training.rounds * steps_per_round):
        trains_mapping = int(step % steps_per_round >= training.adversary_steps)
        rows = torch.from_numpy(np.searchsorted(cumulated, rng.random(training.batch), side="right"))
        plain = vectors[rows]  # (batch, inputs)
        adversary.requires_grad_(not trains_mapping)
        with torch.set_grad_enabled(bool(trains_mapping)):
            mapped = plain + mapping(plain) if training.residual else mapping(plain)
        heads = [log_softmax(scores, dim=1) for scores in adversary(mapped).split(sizes, dim=1)]
        if trains_mapping:
            losses = torch.stack([-head.mean(dim=1) for head in heads], dim=1)  # cross-entropy with equal probabilities
            distortion = (mapped - plain).norm(dim=1).mean() / wide**0.5
            loss = (losses * weights[rows]).mean() + training.price * distortion
        else:
            losses = torch.stack(
                [-head.gather(1, answers[rows, number, None])[:, 0] for number, head in enumerate(heads)], dim=1
            )
            loss = (losses * weights[rows]).mean()
        optimisers[trains_mapping].zero_grad(set_to_none=True)
        loss.backward()
        optimisers[trains_mapping].step()
        if trains_mapping and step >= training.rounds * steps_per_round // 2:
            averaged += 1
            for mean, parameter in zip(means, parameters, strict=True):
                mean.lerp_(parameter.detach(), 1 / averaged)
    inward_weight, inward_bias, outward_weight, outward_bias = (mean.numpy() for mean in means)
    first, second = (inward_weight.T.copy(), inward_bias), (outward_weight.T.copy(), outward_bias)
    return Mapping(center, scale, first, second, training.residual)


def _balanced(truth: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the cumulated probabilities of drawing rows, (rows,), and their weights, (rows, secrets)."""
    even = np.stack([1 / ((answer.max() + 1) * np.bincount(answer)[answer]) for answer in truth], axis=1)
    probabilities = even.mean(axis=1)
    cumulated = np.cumsum(probabilities)
    cumulated[-1] = 1.0  # despite rounding errors
    return cumulated, (even / probabilities[:, None]).astype(np.float32)


def _standard(inputs: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    center, scale = inputs.mean(axis=0, dtype=np.float64), inputs.std(axis=0, dtype=np.float64)
    varies = scale > 1e-6 * np.maximum(np.abs(center), 1e-6)
    return center.astype(np.float32), np.where(varies, scale, 1.0).astype(np.float32)
