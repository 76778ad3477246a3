"""Language models over words: an LSTM or a GPT-2, trained epoch by epoch."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.encoders.devices import device_of
from core.networks.states import Arrays, Steps, adam, begin, descend, load, moments, weights
from core.text.vocabulary import BOUNDARY, UNKNOWN

_CLIP = 1.0


@dataclass(frozen=True)
class Shape:
    """Sizes of a network.

    Attributes:
        body: ``"lstm"``, or ``"gpt2"`` for the architecture of GPT-2.
        words: Size of the vocabulary, `BOUNDARY` and `UNKNOWN` included; frequent words have low numbers.
        dimension: Length of a word's vector and of the hidden state.
        layers: Layers of the body.
        heads: Attention heads of a transformer.
        length: Longest context, in words.
        dropout: Share of units left out in training.
        softmax: ``"full"``, or ``"adaptive"``: rare words share narrow clusters (Grave et al. 2017).
    """

    body: Literal["lstm", "gpt2"]
    words: int
    dimension: int
    layers: int
    heads: int
    length: int
    dropout: float
    softmax: Literal["full", "adaptive"]

    @property
    def cutoffs(self) -> list[int]:
        """First words of the clusters of an adaptive softmax; empty if the vocabulary is too small for any."""
        return [cut for cut in (1000, 5000, 20_000) if 2 * cut <= self.words] if self.softmax == "adaptive" else []


class NextWordNetwork(nn.Module):
    """A body that gives the hidden state after each word, and an output layer that predicts the next word from it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.body = _Lstm(shape) if shape.body == "lstm" else _Gpt2(shape)
        self.output: nn.Module
        if shape.cutoffs:
            self.output = nn.AdaptiveLogSoftmaxWithLoss(shape.dimension, shape.words, shape.cutoffs)
        else:
            self.output = nn.Linear(shape.dimension, shape.words)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return hidden states, (batch, time, dimension), for tokens (batch, time)."""
        hidden: torch.Tensor = self.body(tokens)
        return hidden

    def losses(self, hidden: torch.Tensor, following: torch.Tensor) -> torch.Tensor:
        """Return the negative log-probability of the next words, (n,), for hidden states (n, dimension)."""
        if isinstance(self.output, nn.AdaptiveLogSoftmaxWithLoss):
            losses: torch.Tensor = -self.output(hidden, following).output
            return losses
        return nn.functional.cross_entropy(self.output(hidden), following, reduction="none")

    def log_probabilities(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return the log-probability of every next word, (n, words), for hidden states (n, dimension)."""
        if isinstance(self.output, nn.AdaptiveLogSoftmaxWithLoss):
            return self.output.log_prob(hidden)
        return nn.functional.log_softmax(self.output(hidden), dim=1)

    def likeliest(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return the likeliest next word, (n,), for hidden states (n, dimension)."""
        if not isinstance(self.output, nn.AdaptiveLogSoftmaxWithLoss):
            return _best(self.output(hidden))
        # A cluster is at least as likely as each of its words, so its words matter only if it is the likeliest.
        words = _best(self.output.head(hidden))
        rare = words >= self.output.shortlist_size
        if rare.any():
            words[rare] = _best(self.output.log_prob(hidden[rare]))
        return words


def _best(scores: torch.Tensor) -> torch.Tensor:
    """Return the word with the highest score in each row, (n,), boundary and unknown word excluded."""
    scores[:, [BOUNDARY, UNKNOWN]] = -torch.inf
    return scores.argmax(dim=1)


class _Lstm(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.words, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout)
        between = shape.dropout if shape.layers > 1 else 0.0
        self.recurrent = nn.LSTM(shape.dimension, shape.dimension, shape.layers, batch_first=True, dropout=between)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden, _ = self.recurrent(self.dropout(self.embedding(tokens)))  # (batch, time, d)
        dropped: torch.Tensor = self.dropout(hidden)
        return dropped


class _Gpt2(nn.Module):
    def __init__(self, shape: Shape) -> None:
        from transformers import GPT2Config, GPT2Model

        super().__init__()
        config = GPT2Config(
            vocab_size=shape.words,
            n_positions=shape.length,
            n_embd=shape.dimension,
            n_layer=shape.layers,
            n_head=shape.heads,
            resid_pdrop=shape.dropout,
            embd_pdrop=shape.dropout,
            attn_pdrop=shape.dropout,
            use_cache=False,
            bos_token_id=BOUNDARY,
            eos_token_id=BOUNDARY,
        )
        self.transformer = GPT2Model(config)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        hidden: torch.Tensor = self.transformer(tokens, position_ids=positions).last_hidden_state  # (batch, time, d)
        return hidden


def initial(shape: Shape, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network."""
    torch.manual_seed(int(rng.integers(2**31)))
    return weights(NextWordNetwork(shape))


def train_epoch(
    shape: Shape,
    state: Arrays,
    documents: Sequence[NDArray[np.int64]],
    steps: Steps,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Train for one epoch over documents, concatenated in random order and cut into rows.

    The state does not carry over from row to row. Words at the end that fill no row are left out of this epoch.

    Args:
        shape: Shape of the network.
        state: State from `initial` or the previous epoch.
        documents: Token ids of each document.
        steps: Number of rows per step, and step size.
        rng: Source of all randomness.

    Returns:
        The new state: weights, Adam's steps and moments.
    """
    begin(rng)
    device = torch.device(device_of("auto"))
    network = restored(shape, state).to(device).train()
    optimiser = adam(network, state, steps.learning_rate)
    order = rng.permutation(len(documents))
    rows, following = packed([documents[number] for number in order], shape.length)
    for chosen in np.array_split(rng.permutation(len(rows)), math.ceil(len(rows) / steps.batch)):
        tokens, after = (torch.from_numpy(array[chosen]).to(device) for array in (rows, following))
        loss = network.losses(network(tokens).flatten(0, 1), after.flatten()).mean()
        descend(optimiser, loss, list(network.parameters()), _CLIP)
    return {**weights(network), **moments(network, optimiser)}


def packed(documents: Sequence[NDArray[np.int64]], length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of tokens and of next tokens, (rows, length) both; one shorter row if there are too few tokens."""
    boundary = np.array([BOUNDARY], np.int64)
    stream = np.concatenate([boundary, *(array for text in documents for array in (text.astype(np.int64), boundary))])
    length = max(min(length, len(stream) - 1), 1)
    rows = (len(stream) - 1) // length
    inputs, following = stream[: rows * length], stream[1 : rows * length + 1]
    return inputs.reshape(rows, length), following.reshape(rows, length)


def restored(shape: Shape, state: Arrays) -> NextWordNetwork:
    """Return the network of a state."""
    return load(NextWordNetwork(shape), state)
