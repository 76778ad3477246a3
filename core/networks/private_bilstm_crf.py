"""Trains networks that read requests with differentially private gradients."""

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from opacus.optimizers import DPOptimizer
from opacus.validators import ModuleValidator
from torch import nn
from torch.func import functional_call, grad_and_value, vmap

from core.networks.bilstm_crf import BilstmCrf, Shape, Words, restored, tensors
from core.networks.states import Arrays, adam, moments, weights
from core.statistics.privacy import steps_per_epoch
from core.text.request_vocabulary import Encoded

_TOGETHER = 64
"""Requests of which the gradients are in memory at a time, at most."""


def train_pass_privately(
    shape: Shape,
    words: Words,
    state: Arrays,
    requests: Encoded,
    *,
    batch: int,
    learning_rate: float,
    norm: float,
    noise: float,
    rng: np.random.Generator,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Train for one pass over requests, each of them a part of as many steps as chance has it, one on average.

    Args:
        shape: What the network is made of.
        words: What it knows of its words before training.
        state: What `core.networks.bilstm_crf.initial` or the pass before returned.
        requests: What is learnt.
        batch: Requests of a step, on average.
        learning_rate: Adam's step size.
        norm: Length to which the gradient of a request is cut.
        noise: Standard deviation of the noise in a step, in norms.
        rng: Source of all randomness.

    Returns:
        The new state (weights, Adam's steps and moments), and the mean loss of a request.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    network = cast(BilstmCrf, ModuleValidator.fix(restored(shape, words, state)))  # another LSTM, with the same weights
    network.train()
    trained = {name: parameter for name, parameter in network.named_parameters() if parameter.requires_grad}
    plain = adam(network, state, learning_rate)
    optimiser = DPOptimizer(
        plain,
        noise_multiplier=noise,
        max_grad_norm=norm,
        expected_batch_size=batch,
        loss_reduction="sum",
        generator=torch.Generator().manual_seed(int(rng.integers(2**31))),
    )

    reading = _Reading(network)

    def loss(
        weights: dict[str, torch.Tensor], words: torch.Tensor, intent: torch.Tensor, tags: torch.Tensor
    ) -> torch.Tensor:
        total: torch.Tensor = functional_call(reading, weights, (words[None], intent[None], tags[None]))
        return total

    each = vmap(grad_and_value(loss), in_dims=(None, 0, 0, 0), randomness="different")
    summed, count = 0.0, 0
    for _ in range(steps_per_epoch(len(requests), batch)):
        drawn = np.flatnonzero(rng.random(len(requests)) < batch / len(requests))
        parts = [drawn[rows] for rows in requests.select(drawn).batches(_TOGETHER)] or [drawn]
        for number, rows in enumerate(parts):
            optimiser.signal_skip_step(number + 1 < len(parts))
            optimiser.zero_grad(set_to_none=True)
            gradients = {name: parameter.new_zeros(0, *parameter.shape) for name, parameter in trained.items()}
            if len(rows):  # a step that draws nobody still adds its noise
                fixed = {f"network.{name}": parameter.detach() for name, parameter in trained.items()}
                found, losses = each(fixed, *tensors(requests, rows))
                gradients = {name.partition(".")[2]: own for name, own in found.items()}
                summed, count = summed + float(losses.sum()), count + len(rows)
            for name, parameter in trained.items():
                parameter.grad_sample = gradients[name]  # type: ignore[attr-defined]
            optimiser.step()
    own = {name: weight for name, weight in weights(network).items() if name in state}  # under their usual names only
    return {**own, **moments(network, plain)}, summed / max(count, 1)


class _Reading(nn.Module):
    """A network as a function from requests to the sum of their losses."""

    def __init__(self, network: BilstmCrf) -> None:
        super().__init__()
        self.network = network

    def forward(self, words: torch.Tensor, intents: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        return self.network.losses(self.network.spell(words), intents, tags).sum()
