"""A layer that leaves values as they are and reverses gradients (Ganin and Lempitsky 2015)."""

from typing import Any

import torch


class _Reversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: torch.Tensor, strength: float) -> torch.Tensor:
        ctx.strength = strength
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return -ctx.strength * gradients[0], None


def reverse(values: torch.Tensor, strength: float) -> torch.Tensor:
    """Return the same values; their gradient is multiplied by ``-strength``."""
    reversed_: torch.Tensor = _Reversal.apply(values, strength)
    return reversed_
