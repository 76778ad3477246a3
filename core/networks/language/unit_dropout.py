"""Dropout in the training of any causal language model, whatever its own dropout is."""

from typing import Any

import torch
from torch import nn
from torch.nn.functional import dropout

from core.encoders.causal import CausalNetwork


def leave_out(network: CausalNetwork, inputs: float, hidden: float) -> None:
    """Leave out shares of the units in each training step from now on.

    Args:
        network: Its layers are changed.
        inputs: Share of the units of the embedded tokens.
        hidden: Share of the units of what attention and feed-forward parts add to each layer.
    """
    network.model.get_input_embeddings().register_forward_hook(_Leaving(inputs))
    for layer in _layers(network.model):
        for part in layer.children():
            if any(weight.dim() > 1 for weight in part.parameters()):  # norms have vectors only
                part.register_forward_hook(_Leaving(hidden))


def _layers(model: nn.Module) -> nn.ModuleList:
    """Return the layers of a model: its longest list of modules."""
    lists = (module for module in model.modules() if isinstance(module, nn.ModuleList))
    return max(lists, key=len, default=nn.ModuleList())


class _Leaving:
    """Leaves out a share of the units that a module returns, first in a tuple or alone, while it is trained."""

    def __init__(self, share: float) -> None:
        self.share = share

    def __call__(self, module: nn.Module, _: Any, returned: Any) -> Any:
        if isinstance(returned, torch.Tensor):
            return dropout(returned, self.share, module.training)
        return (dropout(returned[0], self.share, module.training), *returned[1:])
