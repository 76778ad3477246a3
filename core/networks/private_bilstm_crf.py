"""Differentially private training of the BiLSTM-CRF network."""

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from opacus.validators import ModuleValidator
from torch import nn
from torch.func import functional_call, grad_and_value, vmap

from core.networks.bilstm_crf import BilstmCrf, Shape, Words, restored, tensors
from core.networks.private_steps import PrivateSteps, state_after
from core.networks.states import Arrays, begin
from core.text.request_vocabulary import Encoded

_AT_ONCE = 64
"""Most requests whose gradients are in memory at a time."""


def train_epoch_privately(
    shape: Shape,
    words: Words,
    state: Arrays,
    requests: Encoded,
    steps: PrivateSteps,
    rng: np.random.Generator,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Train for one epoch; each step draws each request independently, so that it is drawn once on average.

    Arguments and result are those of `core.networks.bilstm_crf.train_epoch`.
    """
    begin(rng)
    network = cast(
        BilstmCrf, ModuleValidator.fix(restored(shape, words, state))
    )  # Opacus's LSTM, with the same weights
    network.train()
    trained = {name: parameter for name, parameter in network.named_parameters() if parameter.requires_grad}
    optimiser = steps.optimiser(network, state, rng)
    request_loss = _RequestLoss(network)

    def loss(weights: dict[str, torch.Tensor], *request: torch.Tensor) -> torch.Tensor:
        value: torch.Tensor = functional_call(request_loss, weights, tuple(tensor[None] for tensor in request))
        return value

    def of_equal_length(drawn: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        return [drawn[rows] for rows in requests.select(drawn).batches(_AT_ONCE)]

    per_request = vmap(grad_and_value(loss), in_dims=(None, 0, 0, 0), randomness="different")
    total, count = 0.0, 0
    for rows in steps.drawn(optimiser, len(requests), of_equal_length, rng):
        gradients = {name: parameter.new_zeros(0, *parameter.shape) for name, parameter in trained.items()}
        if len(rows):  # a step that draws no request still adds its noise
            fixed = {f"network.{name}": parameter.detach() for name, parameter in trained.items()}
            named_gradients, losses = per_request(fixed, *tensors(requests, rows))
            gradients = {name.partition(".")[2]: gradient for name, gradient in named_gradients.items()}
            total, count = total + float(losses.sum()), count + len(rows)
        for name, parameter in trained.items():
            parameter.grad_sample = gradients[name]  # type: ignore[attr-defined]
    return state_after(network, state, optimiser), total / max(count, 1)


class _RequestLoss(nn.Module):
    """The sum of the losses of requests, as a module."""

    def __init__(self, network: BilstmCrf) -> None:
        super().__init__()
        self.network = network

    def forward(self, words: torch.Tensor, intents: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        return self.network.losses(self.network.spell(words), intents, tags).sum()
