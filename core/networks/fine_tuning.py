"""Fine-tunes a causal language model on documents."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from core.encoders.causal import CausalNetwork, Tokens
from core.networks.states import adam, descend

_CLIP = 1.0
_LEFT_OUT = -100
"""What stands for a token that is padding."""


@dataclass(frozen=True)
class FineTuning:
    """How a causal language model is fine-tuned.

    Attributes:
        epochs: Epochs over the documents.
        batch: Documents per step.
        learning_rate: Adam's step size at the beginning.
        decay: Whether the step size falls linearly to 0 or stays.
        tokens: Most tokens of a document; what is beyond is cut off.
    """

    epochs: int
    batch: int
    learning_rate: float
    decay: Literal["linear", "none"]
    tokens: int


def fine_tune(network: CausalNetwork, texts: Sequence[str], how: FineTuning, rng: np.random.Generator) -> None:
    """Train a network on documents, each a row of its own with the token that ends texts behind it.

    The loss of a step is the mean over its tokens. Gradients are clipped at norm 1.

    Args:
        network: The network, which is changed.
        texts: The documents.
        how: How it is trained.
        rng: Source of all randomness.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    documents = [tokens for tokens, _ in network.tokens(texts, how.tokens) if len(tokens)]
    model, parameters = network.model, list(network.model.parameters())
    model.train().requires_grad_(True)
    optimiser = adam(model, {}, how.learning_rate)
    steps = how.epochs * math.ceil(len(documents) / how.batch)
    taken = 0
    for _ in range(how.epochs):
        order = rng.permutation(len(documents))
        for start in range(0, len(order), how.batch):
            for group in optimiser.param_groups:
                group["lr"] = how.learning_rate * (1 - taken / steps if how.decay == "linear" else 1)
            inputs, following = _rows(network, [documents[number] for number in order[start : start + how.batch]])
            scores = network.scores(inputs).float().flatten(0, 1)
            after = torch.from_numpy(following).flatten().to(scores.device)
            descend(optimiser, cross_entropy(scores, after, ignore_index=_LEFT_OUT), parameters, _CLIP)
            taken += 1
    model.eval().requires_grad_(False)


def _rows(network: CausalNetwork, documents: Sequence[Tokens]) -> tuple[Tokens, Tokens]:
    """Return inputs and the tokens that follow them, (documents, length) each, padded on the right."""
    length = min(max(map(len, documents)) + 1, network.longest)
    inputs = np.full((len(documents), length), network.ends, np.int64)
    following = np.full_like(inputs, _LEFT_OUT)
    for row, tokens in enumerate(documents):
        read = np.concatenate([[network.begins], tokens, [network.ends]])[: length + 1]
        inputs[row, : len(read) - 1], following[row, : len(read) - 1] = read[:-1], read[1:]
    return inputs, following
