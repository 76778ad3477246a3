"""How far documents would move the weights of a language model: the norms of the gradients of their losses."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import cross_entropy

from core.encoders.causal import CausalNetwork, Tokens


def of_documents(network: CausalNetwork, documents: Sequence[Tokens], names: Collection[str]) -> NDArray[np.float64]:
    """Return the norm of the gradient of the mean loss of each document's tokens, (documents,); NaN without any.

    Args:
        network: The language model.
        documents: Their tokens.
        names: Names of the weights that the gradients are taken by; none stand for all.
    """

    def loss(tokens: Tokens) -> torch.Tensor | None:
        if not len(tokens):
            return None
        inputs = np.concatenate([[network.begins], tokens[:-1]])[None]
        return cross_entropy(network.scores(inputs)[0].float(), torch.from_numpy(tokens).to(network.device))

    weights = [weight for name, weight in network.model.named_parameters() if not names or name in names]
    return gradient_norms(weights, [partial(loss, tokens) for tokens in documents])


def gradient_norms(
    weights: Sequence[nn.Parameter], losses: Iterable[Callable[[], torch.Tensor | None]]
) -> NDArray[np.float64]:
    """Return the Euclidean norm of the gradient of each loss, (losses,); NaN where there is no loss.

    Args:
        weights: What the gradients are taken by. Others, and these before and after, may take none.
        losses: Each computes one loss, or returns None where nothing is to be predicted.
    """
    asked = [weight.requires_grad for weight in weights]
    norms = []
    try:
        for weight in weights:
            weight.requires_grad_(True)
        for loss in losses:
            # cuDNN takes no gradient of a recurrent network that is not in training.
            with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):
                value = loss()
                gradients = () if value is None else torch.autograd.grad(value, weights, materialize_grads=True)
            squares = [float(gradient.square().sum()) for gradient in gradients]
            norms.append(float("nan") if value is None else sum(squares) ** 0.5)
    finally:
        for weight, before in zip(weights, asked, strict=True):
            weight.requires_grad_(before)
    return np.array(norms, np.float64)
