"""The training state of a network as arrays: its weights and Adam's moments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

Arrays = Mapping[str, NDArray[Any]]

_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True)
class Steps:
    """The steps of training.

    Attributes:
        batch: Most examples per step.
        learning_rate: Adam's step size.
    """

    batch: int
    learning_rate: float


def begin(rng: np.random.Generator) -> None:
    """Begin training: let torch compute with one thread, and draw as a generator says."""
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))


def load(network: Network, state: Arrays) -> Network:
    """Load the weights of a state into a network, and return it."""
    network.load_state_dict(
        {name.partition(".")[2]: torch.from_numpy(state[name].copy()) for name in state if name.startswith("weight.")}
    )
    return network


def finished(state: Arrays) -> dict[str, NDArray[Any]]:
    """Return the weights of a state, without what only further training needs."""
    return {name: array for name, array in state.items() if name.startswith("weight.")}


def weights(network: nn.Module) -> dict[str, NDArray[Any]]:
    """Return the weights of a network as arrays of a state."""
    return {f"weight.{name}": tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()}


def adam(network: nn.Module, state: Arrays, learning_rate: float, *, fused: bool = False) -> torch.optim.Adam:
    """Return an optimiser that continues from a state.

    PyTorch's ``fused`` loop is several times as fast and rounds differently.
    """
    optimiser = torch.optim.Adam(network.parameters(), lr=learning_rate, fused=fused)
    for name, parameter in network.named_parameters():
        if f"step.{name}" in state:
            tensors = {moment: torch.from_numpy(state[f"{moment}.{name}"].copy()) for moment in _MOMENTS}
            optimiser.state[parameter] = {
                moment: tensor if moment == "step" else tensor.to(parameter.device)
                for moment, tensor in tensors.items()
            }
    return optimiser


def descend(
    optimiser: torch.optim.Optimizer,
    loss: torch.Tensor | Iterable[torch.Tensor],
    clipped: Sequence[nn.Parameter] = (),
    norm: float = 1.0,
) -> None:
    """Take a gradient step down a loss, or the sum of some, of which only one at a time takes memory.

    The gradient of the clipped parameters has at most this norm.
    """
    optimiser.zero_grad(set_to_none=True)
    for part in [loss] if isinstance(loss, torch.Tensor) else loss:
        part.backward()
    if clipped:
        nn.utils.clip_grad_norm_(clipped, norm)
    optimiser.step()


def moments(network: nn.Module, optimiser: torch.optim.Adam) -> dict[str, NDArray[Any]]:
    """Return the steps and moments of an optimiser as arrays of a state."""
    return {
        f"{moment}.{name}": optimiser.state[parameter][moment].cpu().numpy()
        for name, parameter in network.named_parameters()
        if optimiser.state[parameter]  # empty for clusters of rare words that did not occur yet
        for moment in _MOMENTS
    }
