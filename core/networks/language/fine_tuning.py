"""Fine-tunes a causal language model on documents."""

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from core.encoders.causal import CausalNetwork, Tokens
from core.networks.language.token_dropping import kept
from core.networks.language.unit_dropout import leave_out
from core.networks.states import Arrays, adam, begin, descend, moments
from core.runtime.steps import tell

_CLIP = 1.0
_SIMILAR = {"cpu": 0.85, "cuda": 0.0}
"""A document joins longer ones if it has at least this share of the tokens of the longest, as the rest is padding.

A GPU reads a batch at once, which is how its speed was measured.
"""
LEFT_OUT = -100
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
        rank: Rank of the adapters that are trained in the place of all weights; 0 for none.
        dropout: Shares of the input and the hidden units that are left out in training; None leaves the base's own.
        dropped: k, where one in k tokens is left out of the loss; 0 for none.
    """

    epochs: int
    batch: int
    learning_rate: float
    decay: Literal["linear", "none"]
    tokens: int
    rank: int = 0
    dropout: tuple[float, float] | None = None
    dropped: int = 0


def fine_tune(network: CausalNetwork, texts: Sequence[str], how: FineTuning, rng: np.random.Generator) -> None:
    """Train a network on documents, each a row of its own with the token that ends texts behind it.

    The loss of a step is the mean over its tokens. Gradients are clipped at norm 1.
    """
    begin(rng)
    network.model.requires_grad_(True)
    optimiser = adam(network.model, {}, how.learning_rate, fused=network.device.type == "cpu")
    documents = _documents(network, texts, how)
    for number in range(how.epochs):
        _epoch(network, documents, how, number, optimiser, rng)
    network.model.eval().requires_grad_(False)


def fine_tune_epoch(
    network: CausalNetwork, before: Arrays, texts: Sequence[str], how: FineTuning, number: int, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Train for one epoch as `fine_tune` does; return the training state after it: of what is trained, nothing else.

    Args:
        network: The base, freshly loaded, which is changed.
        before: The state before the epoch; empty before the first.
        texts: The documents.
        how: How it is trained.
        number: Number of the epoch, from 0.
        rng: Source of all randomness of this epoch.
    """
    begin(rng)
    prepare(network, how.rank)
    restore(network, before)
    if how.dropout is not None:
        leave_out(network, *how.dropout)
    optimiser = adam(network.model, before, how.learning_rate, fused=network.device.type == "cpu")
    _epoch(network, _documents(network, texts, how), how, number, optimiser, rng)
    network.model.eval()
    return {**trained_weights(network), **moments(network.model, optimiser)}


def mean_loss(network: CausalNetwork, texts: Sequence[str], how: FineTuning) -> float:
    """Return the mean loss of a token of some documents, in nats; infinite without any."""
    losses = np.concatenate([np.empty(0), *network.losses(_documents(network, texts, how))])
    return float(losses.mean()) if len(losses) else math.inf


def prepare(network: CausalNetwork, rank: int) -> None:
    """Make a base ready to be fine-tuned, or to take what was: all weights, or adapters of a rank beside each layer.

    An adapter adds a product of two narrow matrices to a layer (Hu et al. 2022, section 4.1), scaled as by the default
    of peft; the base itself stays. At first it adds nothing.
    """
    network.model.requires_grad_(not rank)
    if rank:
        from peft import LoraConfig, get_peft_model
        from transformers.pytorch_utils import Conv1D

        transposed = any(isinstance(module, Conv1D) for module in network.model.modules())
        adapters = LoraConfig(r=rank, target_modules="all-linear", fan_in_fan_out=transposed)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*is_gradient_checkpointing", FutureWarning)  # peft asks for it
            network.model = get_peft_model(network.model, adapters)


def restore(network: CausalNetwork, state: Arrays) -> None:
    """Give a prepared network the weights of a training state; an empty one leaves what it has."""
    with torch.no_grad():
        for name, parameter in network.model.named_parameters():
            if f"weight.{name}" in state:
                parameter.copy_(torch.from_numpy(state[f"weight.{name}"].copy()))


def trained_weights(network: CausalNetwork) -> dict[str, NDArray[Any]]:
    """Return the weights that are trained, as arrays of a state."""
    return {
        f"weight.{name}": parameter.detach().cpu().numpy()
        for name, parameter in network.model.named_parameters()
        if parameter.requires_grad
    }


def _documents(network: CausalNetwork, texts: Sequence[str], how: FineTuning) -> list[Tokens]:
    """Return the tokens of each document that has any."""
    return [tokens for tokens, _ in network.tokens(texts, how.tokens) if len(tokens)]


def _epoch(
    network: CausalNetwork,
    documents: Sequence[Tokens],
    how: FineTuning,
    number: int,
    optimiser: torch.optim.Adam,
    rng: np.random.Generator,
) -> None:
    """Take the steps of an epoch over all documents, in a random order."""
    network.model.train()
    trained = [parameter for parameter in network.model.parameters() if parameter.requires_grad]
    per_epoch = math.ceil(len(documents) / how.batch)
    order = rng.permutation(len(documents))
    for step, start in enumerate(range(0, len(order), how.batch)):
        taken = (number * per_epoch + step) / (how.epochs * per_epoch)
        for group in optimiser.param_groups:
            group["lr"] = how.learning_rate * (1 - taken if how.decay == "linear" else 1)
        batch = [documents[row] for row in order[start : start + how.batch]]
        descend(optimiser, _losses(network, batch, how.dropped), trained, _CLIP)
        tell(step + 1)


def _losses(network: CausalNetwork, documents: Sequence[Tokens], dropped: int) -> Iterator[torch.Tensor]:
    """Yield what each group of documents of similar length adds to the mean loss of the tokens of all."""
    read = [rows(network, similar, dropped) for similar in _by_length(documents, _SIMILAR[network.device.type])]
    # Of a batch whose tokens are all dropped the loss is 0.
    counted = max(sum(int((following != LEFT_OUT).sum()) for _, following in read), 1)
    for inputs, following in read:
        scores = network.scores(inputs).float().flatten(0, 1)
        after = torch.from_numpy(following).flatten().to(scores.device)
        yield cross_entropy(scores, after, ignore_index=LEFT_OUT, reduction="sum") / counted


def _by_length(documents: Sequence[Tokens], similar: float) -> list[list[Tokens]]:
    """Return the documents in groups, each with at least a share of the tokens of the longest in its group."""
    groups: list[list[Tokens]] = []
    for tokens in sorted(documents, key=len, reverse=True):
        if groups and len(tokens) >= similar * len(groups[-1][0]):
            groups[-1].append(tokens)
        else:
            groups.append([tokens])
    return groups


def rows(network: CausalNetwork, documents: Sequence[Tokens], dropped: int = 0) -> tuple[Tokens, Tokens]:
    """Return inputs and the tokens that follow them, (documents, length) each, padded on the right.

    Args:
        network: Knows which tokens begin and end texts.
        documents: The tokens of each.
        dropped: k, where one in k tokens counts as padding among those that follow; 0 for none.
    """
    length = min(max(map(len, documents)) + 1, network.longest)
    inputs = np.full((len(documents), length), network.ends, np.int64)
    following = np.full_like(inputs, LEFT_OUT)
    for row, tokens in enumerate(documents):
        read = np.concatenate([[network.begins], tokens, [network.ends]])[: length + 1]
        inputs[row, : len(read) - 1], following[row, : len(read) - 1] = read[:-1], read[1:]
        if dropped:
            following[row, : len(read) - 1][~kept(read, dropped)[1:]] = LEFT_OUT
    return inputs, following
