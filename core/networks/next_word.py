"""Networks that predict the next word: an LSTM or a GPT-2 over words, trained pass by pass."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.encoders.network import device_of
from core.networks.states import Arrays, adam, load, moments, weights
from core.text.vocabulary import BOUNDARY, UNKNOWN

_CLIP = 1.0
_ROWS = 128


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    Attributes:
        body: ``"lstm"``, or ``"gpt2"`` for a transformer after its transformers config.
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
        """Return where the clusters of an adaptive softmax begin; empty when the vocabulary is too small for any."""
        return [cut for cut in (1000, 5000, 20_000) if 2 * cut <= self.words] if self.softmax == "adaptive" else []


class NextWordNetwork(nn.Module):
    """Words in, the hidden state after each of them out, and from that the log-probability of every next word."""

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
        """Return the negative log-probability of what followed, (n,), for hidden states (n, dimension)."""
        if isinstance(self.output, nn.AdaptiveLogSoftmaxWithLoss):
            taken: torch.Tensor = -self.output(hidden, following).output
            return taken
        return nn.functional.cross_entropy(self.output(hidden), following, reduction="none")

    def likeliest(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return the likeliest next word, (n,), for hidden states (n, dimension)."""
        if not isinstance(self.output, nn.AdaptiveLogSoftmaxWithLoss):
            return _best(self.output(hidden))
        # A cluster is at least as likely as each of its words: only where one wins are its words worth a look.
        said = _best(self.output.head(hidden))
        rare = said >= self.output.shortlist_size
        if rare.any():
            said[rare] = _best(self.output.log_prob(hidden[rare]))
        return said


def _best(scores: torch.Tensor) -> torch.Tensor:
    """Return the place of the highest score of each row that is a word's, (n,)."""
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
        at = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)  # a row of its own for each text
        hidden: torch.Tensor = self.transformer(tokens, position_ids=at).last_hidden_state  # (batch, time, d)
        return hidden


def initial(shape: Shape, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network."""
    torch.manual_seed(int(rng.integers(2**31)))
    return weights(NextWordNetwork(shape))


def train_pass(
    shape: Shape,
    state: Arrays,
    documents: Sequence[NDArray[np.int64]],
    *,
    batch: int,
    learning_rate: float,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Train for one pass over documents: packed one after the other in random order, and cut into rows.

    A row sees nothing of the row before it. What is left at the end and fills no row waits for the next pass.

    Args:
        shape: What the network is made of.
        state: What `initial` or the pass before returned.
        documents: Token ids of each document.
        batch: Rows of a step.
        learning_rate: Adam's step size.
        rng: Source of all randomness.

    Returns:
        The new state: weights, Adam's steps and moments.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    device = torch.device(device_of("auto"))
    network = restored(shape, state).to(device).train()
    optimiser = adam(network, state, learning_rate)
    order = rng.permutation(len(documents))
    rows, following = _packed([documents[number] for number in order], shape.length)
    for chosen in np.array_split(rng.permutation(len(rows)), math.ceil(len(rows) / batch)):
        tokens, after = (torch.from_numpy(part[chosen]).to(device) for part in (rows, following))
        optimiser.zero_grad(set_to_none=True)
        loss = network.losses(network(tokens).flatten(0, 1), after.flatten()).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimiser.step()
    return {**weights(network), **moments(network, optimiser)}


class NextWordPredictor:
    """A trained network in use, which remembers what it said: the same question has the same answer."""

    def __init__(self, shape: Shape, state: Arrays) -> None:
        """Restore a network from the arrays of `finished`."""
        self._shape = shape
        self._device = torch.device(device_of("auto"))
        self._network = restored(shape, state).to(self._device).eval()
        self._said: dict[bytes, NDArray[np.int64]] = {}

    @torch.inference_mode()
    def likeliest(
        self, documents: Sequence[NDArray[np.int64]], places: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.int64]]:
        """Return the likeliest word at some places of each document, from the words before each place.

        A document is read in windows that overlap by half, and all places in a window share its reading; a place's
        context is at least half as long as the longest context, or all that stands before it.

        Args:
            documents: Tokens of each.
            places: Numbers of the words to predict, for each document; 0 is the first.
        """
        known = [self._said.setdefault(text.tobytes(), np.full(len(text), -1)) for text in documents]
        fresh = [asked[said[asked] < 0] for asked, said in zip(places, known, strict=True)]
        for said, asked, answers in zip(known, fresh, self._read(documents, fresh), strict=True):
            said[asked] = answers
        return [said[asked] for asked, said in zip(places, known, strict=True)]

    def _read(
        self, documents: Sequence[NDArray[np.int64]], places: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.int64]]:
        length = self._shape.length
        half = max(length // 2, 1)
        windows: list[NDArray[np.int64]] = []
        row: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        column: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        for document, asked in zip(documents, places, strict=True):
            starts = np.maximum(asked // half - 1, 0) * half
            kept, own = np.unique(starts, return_inverse=True)
            row.append(len(windows) + own)
            column.append(asked - starts)
            padded = np.concatenate([[BOUNDARY], document, np.full(length, BOUNDARY)])
            windows += [padded[at : at + length] for at in kept]
        rows, columns = np.concatenate(row), np.concatenate(column)
        said = np.empty(len(rows), np.int64)
        for first in range(0, len(windows), _ROWS):
            tokens = torch.from_numpy(np.stack(windows[first : first + _ROWS])).to(self._device)
            here = np.flatnonzero((rows >= first) & (rows < first + _ROWS))
            at = torch.from_numpy(rows[here] - first), torch.from_numpy(columns[here])
            said[here] = self._network.likeliest(self._network(tokens)[at]).cpu().numpy()  # (places, d) to (places,)
        return np.split(said, np.cumsum([len(asked) for asked in places])[:-1])[: len(places)]

    @torch.inference_mode()
    def perplexity(self, documents: Sequence[NDArray[np.int64]]) -> float:
        """Return e to the mean negative log-probability of each known word and document's end; NaN without any."""
        rows, following = _packed(documents, self._shape.length)
        total, count = 0.0, 0
        for at in range(0, len(rows), _ROWS):
            tokens, after = (torch.from_numpy(part[at : at + _ROWS]).to(self._device) for part in (rows, following))
            known = (after != UNKNOWN).flatten()
            losses = self._network.losses(self._network(tokens).flatten(0, 1)[known], after.flatten()[known])
            total, count = total + float(losses.sum(dtype=torch.float64)), count + len(losses)
        return math.exp(total / count) if count else float("nan")


def _packed(documents: Sequence[NDArray[np.int64]], length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of tokens and what follows each of them, (rows, length) both; one short row when there is no more."""
    boundary = np.array([BOUNDARY], np.int64)
    stream = np.concatenate([boundary, *(part for text in documents for part in (text.astype(np.int64), boundary))])
    length = max(min(length, len(stream) - 1), 1)
    rows = (len(stream) - 1) // length
    inputs, following = stream[: rows * length], stream[1 : rows * length + 1]
    return inputs.reshape(rows, length), following.reshape(rows, length)


def restored(shape: Shape, state: Arrays) -> NextWordNetwork:
    """Return the network of a state."""
    network = NextWordNetwork(shape)
    load(network, state)
    return network
