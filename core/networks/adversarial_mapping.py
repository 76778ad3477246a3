"""A network that rewrites vectors so that another cannot tell some answers from them (Salamatian et al. 2015)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BLOCK = 8192
_BETAS = (0.5, 0.99)
"""Adam's memory, shorter than usual: the other network changes all the time."""


@dataclass(frozen=True)
class Mapping:
    """One hidden layer of rectified units, on inputs of zero mean and unit variance, and back to the inputs' own scale.

    Attributes:
        center: (inputs,) mean of each input.
        scale: (inputs,) standard deviation of each input; 1 where it does not vary.
        inward: Weight (inputs, units) and bias (units,).
        outward: Weight (units, inputs) and bias (inputs,).
        residual: Whether the network gives a correction that is added to its input.
    """

    center: NDArray[np.float32]
    scale: NDArray[np.float32]
    inward: tuple[NDArray[np.float32], NDArray[np.float32]]
    outward: tuple[NDArray[np.float32], NDArray[np.float32]]
    residual: bool

    def __call__(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what the vectors are mapped to, (rows, inputs)."""
        mapped = np.empty_like(inputs)
        for at in range(0, len(inputs), _BLOCK):
            plain = (inputs[at : at + _BLOCK] - self.center) / self.scale
            hidden = np.maximum(plain @ self.inward[0] + self.inward[1], 0)  # (block, units)
            made = hidden @ self.outward[0] + self.outward[1]  # (block, inputs)
            mapped[at : at + _BLOCK] = (plain + made if self.residual else made) * self.scale + self.center
        return mapped


@dataclass(frozen=True)
class Training:
    """How the two networks are trained against each other.

    Attributes:
        price: Weight of the distortion against what the adversary learns (lambda).
        rounds: How often adversary and mapping take turns.
        adversary_steps: Batches the adversary is trained on in each round.
        mapping_steps: Batches the mapping is trained on in each round.
        residual: Whether the mapping is a correction added to its input.
        units: Hidden units of either network.
        batch: Examples in a batch.
        adversary_rate: Adam's step size for the adversary, which must keep up with the mapping.
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
    """Train the mapping against an adversary with one head a secret, with one thread.

    The two circle around each other rather than come to rest, so the step sizes stay as they are, and the mapping
    returned has the mean of the weights it passed through in the second half of the rounds.

    Texts are drawn so that over the secrets, and within each over its answers, all are met equally often; each head's
    loss is weighted such that its own answers are balanced exactly. Having learned nothing is then the same as giving
    each answer the same probability, which is what the mapping drives every head to.

    Args:
        inputs: (rows, inputs) vectors.
        truth: For each secret (rows,) answers from 0 on; at least two of them, all of which occur.
        training: How to train.
        rng: Source of all randomness.
    """
    import torch
    from torch.nn.functional import log_softmax

    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    center, scale = _standard(inputs)
    vectors = torch.from_numpy((inputs - center) / scale)
    answers = torch.from_numpy(np.stack(truth, axis=1))  # (rows, secrets)
    sizes = [int(answer.max()) + 1 for answer in truth]
    drawn, shares = _balanced(truth)
    weights = torch.from_numpy(shares)
    wide = inputs.shape[1]
    inward, outward = torch.nn.Linear(wide, training.units), torch.nn.Linear(training.units, wide)
    mapping = torch.nn.Sequential(inward, torch.nn.ReLU(), outward)
    if training.residual:
        for zero in outward.parameters():
            torch.nn.init.zeros_(zero)
    adversary = torch.nn.Sequential(
        torch.nn.Linear(wide, training.units), torch.nn.Sigmoid(), torch.nn.Linear(training.units, sum(sizes))
    )
    turns = training.adversary_steps + training.mapping_steps
    optimisers = [
        torch.optim.Adam(network.parameters(), lr=rate, betas=_BETAS, fused=True)
        for network, rate in ((adversary, training.adversary_rate), (mapping, training.mapping_rate))
    ]
    weighed = list(mapping.parameters())
    mean, counted = [parameter.detach().clone() for parameter in weighed], 0
    for step in range(training.rounds * turns):
        learns = int(step % turns >= training.adversary_steps)
        rows = torch.from_numpy(np.searchsorted(drawn, rng.random(training.batch), side="right"))
        plain = vectors[rows]  # (batch, inputs)
        adversary.requires_grad_(not learns)
        with torch.set_grad_enabled(bool(learns)):
            mapped = plain + mapping(plain) if training.residual else mapping(plain)
        heads = [log_softmax(scores, dim=1) for scores in adversary(mapped).split(sizes, dim=1)]
        if learns:
            told = torch.stack([-head.mean(dim=1) for head in heads], dim=1)  # cross-entropy with equal probabilities
            distortion = (mapped - plain).norm(dim=1).mean() / wide**0.5
            loss = (told * weights[rows]).mean() + training.price * distortion
        else:
            named = torch.stack(
                [-head.gather(1, answers[rows, place, None])[:, 0] for place, head in enumerate(heads)], dim=1
            )
            loss = (named * weights[rows]).mean()
        optimisers[learns].zero_grad(set_to_none=True)
        loss.backward()
        optimisers[learns].step()
        if learns and step >= training.rounds * turns // 2:
            counted += 1
            for average, parameter in zip(mean, weighed, strict=True):
                average.lerp_(parameter.detach(), 1 / counted)
    inward_weight, inward_bias, outward_weight, outward_bias = (average.numpy() for average in mean)
    first, second = (inward_weight.T.copy(), inward_bias), (outward_weight.T.copy(), outward_bias)
    return Mapping(center, scale, first, second, training.residual)


def _balanced(truth: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the cumulated chances with which rows are drawn, (rows,), and each row's weight, (rows, secrets)."""
    even = np.stack([1 / ((answer.max() + 1) * np.bincount(answer)[answer]) for answer in truth], axis=1)
    chances = even.mean(axis=1)
    cumulated = np.cumsum(chances)
    cumulated[-1] = 1.0  # whatever the rounding errors of the sum
    return cumulated, (even / chances[:, None]).astype(np.float32)


def _standard(inputs: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    center, scale = inputs.mean(axis=0, dtype=np.float64), inputs.std(axis=0, dtype=np.float64)
    varies = scale > 1e-6 * np.maximum(np.abs(center), 1e-6)
    return center.astype(np.float32), np.where(varies, scale, 1.0).astype(np.float32)
