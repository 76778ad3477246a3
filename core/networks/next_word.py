"""Language models over words: an LSTM or a GPT-2, trained epoch by epoch."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.encoders.network import device_of
from core.networks.states import Arrays, Steps, adam, descend, load, moments, weights
from core.text.vocabulary import BOUNDARY, UNKNOWN

_CLIP = 1.0
_ROWS = 128


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
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    device = torch.device(device_of("auto"))
    network = restored(shape, state).to(device).train()
    optimiser = adam(network, state, steps.learning_rate)
    order = rng.permutation(len(documents))
    rows, following = _packed([documents[number] for number in order], shape.length)
    for chosen in np.array_split(rng.permutation(len(rows)), math.ceil(len(rows) / steps.batch)):
        tokens, after = (torch.from_numpy(array[chosen]).to(device) for array in (rows, following))
        loss = network.losses(network(tokens).flatten(0, 1), after.flatten()).mean()
        descend(optimiser, loss, list(network.parameters()), _CLIP)
    return {**weights(network), **moments(network, optimiser)}


class NextWordPredictor:
    """A trained network that caches its predictions: the same query has the same answer."""

    def __init__(self, shape: Shape, state: Arrays) -> None:
        """Restore a network from the arrays of `finished`."""
        self._shape = shape
        self._device = torch.device(device_of("auto"))
        self._network = restored(shape, state).to(self._device).eval()
        self._predicted: dict[bytes, NDArray[np.int64]] = {}

    @torch.inference_mode()
    def likeliest(
        self, documents: Sequence[NDArray[np.int64]], positions: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.int64]]:
        """Return the likeliest word at positions of each document, given the words before.

        Documents are read in windows that overlap by half, and the positions in a window share one forward pass. The
        context of a position is at least half as long as the longest context, or all words before it.

        Args:
            documents: Tokens of each.
            positions: Positions of the words to predict, for each document; 0 is the first.
        """
        cached = [self._predicted.setdefault(text.tobytes(), np.full(len(text), -1)) for text in documents]
        missing = [asked[words[asked] < 0] for asked, words in zip(positions, cached, strict=True)]
        for words, unknown, predicted in zip(cached, missing, self._predict(documents, missing), strict=True):
            words[unknown] = predicted
        return [words[asked] for asked, words in zip(positions, cached, strict=True)]

    def _predict(
        self, documents: Sequence[NDArray[np.int64]], positions: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.int64]]:
        length = self._shape.length
        half = max(length // 2, 1)
        windows: list[NDArray[np.int64]] = []
        row: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        column: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        for document, asked in zip(documents, positions, strict=True):
            starts = np.maximum(asked // half - 1, 0) * half
            distinct, inverse = np.unique(starts, return_inverse=True)
            row.append(len(windows) + inverse)
            column.append(asked - starts)
            padded = np.concatenate([[BOUNDARY], document, np.full(length, BOUNDARY)])
            windows += [padded[start : start + length] for start in distinct]
        rows, columns = np.concatenate(row), np.concatenate(column)
        words = np.empty(len(rows), np.int64)
        for first in range(0, len(windows), _ROWS):
            tokens = torch.from_numpy(np.stack(windows[first : first + _ROWS])).to(self._device)
            in_block = np.flatnonzero((rows >= first) & (rows < first + _ROWS))
            cells = torch.from_numpy(rows[in_block] - first), torch.from_numpy(columns[in_block])
            hidden = self._network(tokens)[cells]  # (positions, d)
            words[in_block] = self._network.likeliest(hidden).cpu().numpy()
        return np.split(words, np.cumsum([len(asked) for asked in positions])[:-1])[: len(positions)]

    @torch.inference_mode()
    def perplexity(self, documents: Sequence[NDArray[np.int64]]) -> float:
        """Return the perplexity over known words and ends of documents; NaN without any."""
        rows, following = _packed(documents, self._shape.length)
        total, count = 0.0, 0
        for start in range(0, len(rows), _ROWS):
            block = slice(start, start + _ROWS)
            tokens, after = (torch.from_numpy(array[block]).to(self._device) for array in (rows, following))
            known = (after != UNKNOWN).flatten()
            losses = self._network.losses(self._network(tokens).flatten(0, 1)[known], after.flatten()[known])
            total, count = total + float(losses.sum(dtype=torch.float64)), count + len(losses)
        return math.exp(total / count) if count else float("nan")


def _packed(documents: Sequence[NDArray[np.int64]], length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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
