"""The state of a network in training as arrays: its weights, and what Adam remembers."""

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import nn

Arrays = Mapping[str, NDArray[Any]]

_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


def load(network: nn.Module, state: Arrays) -> None:
    """Give a network the weights of a state."""
    network.load_state_dict(
        {name.partition(".")[2]: torch.from_numpy(state[name].copy()) for name in state if name.startswith("weight.")}
    )


def finished(state: Arrays) -> dict[str, NDArray[Any]]:
    """Return what is needed to use a network, without what only its training needs."""
    return {name: array for name, array in state.items() if name.startswith("weight.")}


def weights(network: nn.Module) -> dict[str, NDArray[Any]]:
    """Return the weights of a network, as a state has them."""
    return {f"weight.{name}": tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()}


def adam(network: nn.Module, state: Arrays, learning_rate: float, *, fused: bool = False) -> torch.optim.Adam:
    """Return an optimiser that goes on where the one of a state ended.

    Args:
        network: What is trained.
        state: What is gone on from.
        learning_rate: The step size.
        fused: Whether each step is one loop over a parameter, which is several times as fast and rounds otherwise.
    """
    optimiser = torch.optim.Adam(network.parameters(), lr=learning_rate, fused=fused)
    for name, parameter in network.named_parameters():
        if f"step.{name}" in state:
            kept = {moment: torch.from_numpy(state[f"{moment}.{name}"].copy()) for moment in _MOMENTS}
            optimiser.state[parameter] = {
                at: tensor if at == "step" else tensor.to(parameter.device) for at, tensor in kept.items()
            }
    return optimiser


def moments(network: nn.Module, optimiser: torch.optim.Adam) -> dict[str, NDArray[Any]]:
    """Return what an optimiser remembers of each parameter, as a state has it."""
    return {
        f"{moment}.{name}": optimiser.state[parameter][moment].cpu().numpy()
        for name, parameter in network.named_parameters()
        if optimiser.state[parameter]  # empty for words so rare that none was met yet
        for moment in _MOMENTS
    }
