"""Transformers that translate: an encoder reads a sentence, a decoder writes another, trained pass by pass."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from core.networks.states import Arrays, adam, load, moments, weights
from core.text.subwords import BOUNDARY, PADDING

_CLIP = 1.0
_POOL = 64
"""Batches whose pairs are sorted by length together."""
_READ = 2048
"""Tokens of a batch in which nothing is learnt, padding included."""

Tokens = Sequence[NDArray[np.int64]]


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    Attributes:
        sources: Size of the vocabulary it reads, `PADDING` and `BOUNDARY` included.
        targets: Size of the vocabulary it writes.
        tied: Whether both are one, and one matrix describes the pieces read, written before, and to be written.
        layers: Layers of the encoder, and of the decoder.
        dimension: Length of a piece's vector and of the hidden state.
        heads: Attention heads of each layer.
        feed_forward: Hidden units of a layer's perceptron.
        dropout: Shares of the inputs, and of what each layer adds, that are left out in training.
    """

    sources: int
    targets: int
    tied: bool
    layers: int
    dimension: int
    heads: int
    feed_forward: int
    dropout: tuple[float, float]


class Transformer(nn.Module):
    """An encoder and a decoder (Vaswani et al. 2017) with layers that are normalised first.

    Places are told by sines and cosines, so that a sentence may be of any length.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.reading = _embedding(shape.sources, shape.dimension)
        self.writing = self.reading if shape.tied else _embedding(shape.targets, shape.dimension)
        self.output = nn.Linear(shape.dimension, shape.targets)
        nn.init.zeros_(self.output.bias)
        if shape.tied:
            self.output.weight = self.writing.weight
        else:
            nn.init.normal_(self.output.weight, std=shape.dimension**-0.5)
        self.dropout = nn.Dropout(shape.dropout[0])
        self.encoder = nn.ModuleList(EncoderLayer(shape) for _ in range(shape.layers))
        self.encoded = nn.LayerNorm(shape.dimension)
        self.decoder = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.layers))
        self.decoded = nn.LayerNorm(shape.dimension)

    def forward(self, sources: torch.Tensor, written: torch.Tensor) -> torch.Tensor:
        """Return the hidden state after each place, (batch, time, d).

        Args:
            sources: (batch, source time) the sentences.
            written: (batch, time) what stands before each place of the translation.
        """
        memory, mask = self.encode(sources)
        hidden = self.described(self.writing, written, 0)
        for layer in self.decoder:
            hidden = layer(hidden, memory, mask)
        normed: torch.Tensor = self.decoded(hidden)
        return normed

    def encode(self, sources: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return what the encoder makes of sentences, (batch, time, d), and a mask of their padding, if they have any.

        The mask, (batch, 1, 1, time), says where something stands.
        """
        there = sources != PADDING
        mask = None if bool(there.all()) else there[:, None, None, :]
        hidden = self.described(self.reading, sources, 0)
        for layer in self.encoder:
            hidden = layer(hidden, mask)
        return self.encoded(hidden), mask

    def described(self, embedding: nn.Embedding, tokens: torch.Tensor, first: int) -> torch.Tensor:
        """Return what a layer is told of tokens, (batch, time, d), the first column being in place ``first``."""
        width = self.shape.dimension
        vectors = embedding(tokens) * math.sqrt(width) + _places(first, tokens.shape[1], width)
        dropped: torch.Tensor = self.dropout(vectors)
        return dropped


class EncoderLayer(nn.Module):
    """Each piece looks at all pieces of its sentence; then a perceptron looks at it alone."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape)
        self.perceptron = Perceptron(shape)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Return new hidden states, (batch, time, d)."""
        read: torch.Tensor = self.perceptron(self.attention(hidden, mask))
        return read


class DecoderLayer(nn.Module):
    """Each piece looks at those before it, and at the sentence that is translated; then a perceptron looks at it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape)
        self.across = CrossAttention(shape)
        self.perceptron = Perceptron(shape)

    def forward(self, hidden: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Return new hidden states, (batch, time, d)."""
        hidden = self.attention(hidden, None, causal=True)
        written: torch.Tensor = self.perceptron(self.across(hidden, *self.across.remembered(memory), mask))
        return written


class SelfAttention(nn.Module):
    """A residual block in which pieces look at each other."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm = nn.LayerNorm(shape.dimension)
        self.inner = _linear(shape.dimension, 3 * shape.dimension, parts=3)
        self.outer = _linear(shape.dimension, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout[1])

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None, *, causal: bool = False) -> torch.Tensor:
        """Return new hidden states, (batch, time, d); no piece looks at later ones when ``causal``."""
        query, key, value = self.projected(hidden)
        seen = scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
        return self.added(hidden, seen)

    def projected(self, hidden: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return queries, keys and values, (batch, heads, time, d / heads) each."""
        return tuple(_apart(part, self.heads) for part in self.inner(self.norm(hidden)).chunk(3, dim=-1))

    def added(self, hidden: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        """Return hidden states with what each piece has seen, (batch, heads, time, d / heads)."""
        added: torch.Tensor = self.dropout(self.outer(_joined(seen)))
        return hidden + added


class CrossAttention(nn.Module):
    """A residual block in which pieces look at the sentence that is translated."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm = nn.LayerNorm(shape.dimension)
        self.query = _linear(shape.dimension, shape.dimension)
        self.memory = _linear(shape.dimension, 2 * shape.dimension, parts=2)
        self.outer = _linear(shape.dimension, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout[1])

    def forward(
        self, hidden: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor | None
    ) -> torch.Tensor:
        """Return new hidden states, (batch, time, d), for what `remembered` returned."""
        query = _apart(self.query(self.norm(hidden)), self.heads)
        seen = scaled_dot_product_attention(query, keys, values, attn_mask=mask)
        added: torch.Tensor = self.dropout(self.outer(_joined(seen)))
        return hidden + added

    def remembered(self, memory: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return keys and values of the encoder's hidden states, (batch, heads, source time, d / heads) each."""
        keys, values = self.memory(memory).chunk(2, dim=-1)
        return _apart(keys, self.heads), _apart(values, self.heads)


class Perceptron(nn.Module):
    """A residual block with one hidden layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(shape.dimension)
        self.inner = _linear(shape.dimension, shape.feed_forward)
        self.outer = _linear(shape.feed_forward, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout[1])

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return new hidden states, (batch, time, d)."""
        added: torch.Tensor = self.dropout(self.outer(self.inner(self.norm(hidden)).relu_()))
        return hidden + added


def _embedding(words: int, width: int) -> nn.Embedding:
    embedding = nn.Embedding(words, width)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    return embedding


def _linear(given: int, wanted: int, parts: int = 1) -> nn.Linear:
    """Return a layer that begins as so many beside each other would each begin alone (Glorot and Bengio 2010)."""
    layer = nn.Linear(given, wanted)
    for part in layer.weight.data.chunk(parts):
        nn.init.xavier_uniform_(part)
    nn.init.zeros_(layer.bias)
    return layer


def _apart(hidden: torch.Tensor, heads: int) -> torch.Tensor:
    """Return (batch, time, d) as (batch, heads, time, d / heads)."""
    batch, time, width = hidden.shape
    return hidden.view(batch, time, heads, width // heads).transpose(1, 2)


def _joined(seen: torch.Tensor) -> torch.Tensor:
    """Return (batch, heads, time, d / heads) as (batch, time, d)."""
    return seen.transpose(1, 2).flatten(2)


def _places(first: int, many: int, width: int) -> torch.Tensor:
    """Return what tells places from each other, (many, width): sines and cosines (Vaswani et al. 2017, section 3.5)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000) / width))
    angles = torch.arange(first, first + many)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :width]


def initial(shape: Shape, seed: int) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network."""
    torch.manual_seed(seed)
    return {**_own_weights(Transformer(shape)), "steps": np.array(0)}


def restored(shape: Shape, state: Arrays) -> Transformer:
    """Return the network of a state."""
    network = Transformer(shape)
    load(network, {**state, **{f"weight.{name}": state["weight.reading.weight"] for name in _tied(shape)}})
    return network


def _tied(shape: Shape) -> tuple[str, ...]:
    """Return the names of weights that are another's."""
    return ("writing.weight", "output.weight") if shape.tied else ()


def _own_weights(network: Transformer) -> dict[str, NDArray[Any]]:
    """Return the weights of a network, each once."""
    tied = {f"weight.{name}" for name in _tied(network.shape)}
    return {name: array for name, array in weights(network).items() if name not in tied}


def train_pass(
    shape: Shape,
    state: Arrays,
    sources: Tokens,
    targets: Tokens,
    *,
    batch_tokens: int,
    learning_rate: float,
    warm_up: int,
    smoothing: float,
    rng: np.random.Generator,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Train for one pass over pairs, with one thread.

    The step size rises in ``warm_up`` steps to ``learning_rate``, and falls from there with the inverse square root of
    the steps (Vaswani et al. 2017, section 5.3).

    Args:
        shape: What the network is made of.
        state: What `initial` or the pass before returned.
        sources: Tokens of each sentence.
        targets: Tokens of its translation.
        batch_tokens: Tokens of a step on the longer side, padding included, at most.
        learning_rate: Adam's largest step size.
        warm_up: Steps in which that is reached.
        smoothing: Share of each token's probability that the loss wants spread over all others (section 5.4).
        rng: Source of all randomness.

    Returns:
        The new state: weights, steps so far, Adam's steps and moments; and the mean loss of a token, in nats.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    network = restored(shape, state).train()
    optimiser = adam(network, state, learning_rate, fused=True)
    steps, total, count = int(state["steps"]), 0.0, 0
    for chosen in _shuffled(_lengths(sources, targets), batch_tokens, rng):
        steps += 1
        for group in optimiser.param_groups:
            group["lr"] = learning_rate * min(steps / warm_up, math.sqrt(warm_up / steps))
        hidden, wanted = _taught(network, [sources[row] for row in chosen], [targets[row] for row in chosen])
        loss = cross_entropy(network.output(hidden), wanted, label_smoothing=smoothing)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimiser.step()
        total, count = total + loss.item() * len(wanted), count + len(wanted)
    after = {**_own_weights(network), **moments(network, optimiser), "steps": np.array(steps)}
    return after, total / count


@torch.inference_mode()
def log_probabilities(
    network: Transformer, sources: Tokens, targets: Tokens
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the log-probability of each translation, its end included, in nats, and its tokens; (pairs,) each.

    Args:
        network: In use, not in training.
        sources: Tokens of each sentence.
        targets: Tokens of a translation of each.
    """
    torch.set_num_threads(1)
    found = np.zeros(len(sources))
    lengths = np.array([len(target) + 1 for target in targets], np.int64)
    for chosen in batches(_lengths(sources, targets), np.arange(len(sources)), _READ):
        hidden, wanted = _taught(network, [sources[row] for row in chosen], [targets[row] for row in chosen])
        losses = cross_entropy(network.output(hidden), wanted, reduction="none").double().numpy()
        found[chosen] = -np.add.reduceat(losses, np.cumsum(lengths[chosen]) - lengths[chosen])
    return found, lengths


def perplexity(network: Transformer, sources: Tokens, targets: Tokens) -> float:
    """Return e to the mean negative log-probability of a token, ends included."""
    found, lengths = log_probabilities(network, sources, targets)
    return math.exp(-found.sum() / lengths.sum())


def padded(rows: Tokens) -> torch.Tensor:
    """Return rows of tokens as one array, (rows, time), filled up."""
    tokens = np.full((len(rows), max(map(len, rows))), PADDING, np.int64)
    for number, row in enumerate(rows):
        tokens[number, : len(row)] = row
    return torch.from_numpy(tokens)


def batches(lengths: NDArray[np.int64], rows: NDArray[np.int64], most: int) -> Iterator[NDArray[np.int64]]:
    """Yield rows sorted by length in batches of so many tokens at most, padding included; one row may have more.

    Args:
        lengths: (all rows, sides) tokens of each side.
        rows: Which to yield.
        most: Tokens of a batch on its longer side.
    """
    order = rows[np.lexsort(lengths[rows].T)]
    longest, begun = 0, 0
    for at, length in enumerate(lengths[order].max(axis=1).tolist()):
        longest = max(longest, length)
        if at > begun and longest * (at + 1 - begun) > most:
            yield order[begun:at]
            longest, begun = length, at
    if len(order):
        yield order[begun:]


def _shuffled(lengths: NDArray[np.int64], most: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return batches in random order, each of rows of like length among a random few."""
    order = rng.permutation(len(lengths))
    pools = np.array_split(order, max(round(int(lengths.max(axis=1).sum()) / (most * _POOL)), 1))
    found = [batch for pool in pools for batch in batches(lengths, pool, most)]
    return [found[number] for number in rng.permutation(len(found))]


def _lengths(sources: Tokens, targets: Tokens) -> NDArray[np.int64]:
    """Return the tokens of each side with one end, (pairs, 2)."""
    both = [(len(source) + 1, len(target) + 1) for source, target in zip(sources, targets, strict=True)]
    return np.array(both, np.int64).reshape(-1, 2)


def _taught(network: Transformer, sources: Tokens, targets: Tokens) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the hidden states before all tokens of translations, (tokens, d), and those tokens, ends included."""
    written = padded([np.concatenate([[BOUNDARY], target]) for target in targets])
    wanted = padded([np.concatenate([target, [BOUNDARY]]) for target in targets])
    there = wanted != PADDING
    hidden: torch.Tensor = network(read(sources), written)
    return hidden[there], wanted[there]


def read(sources: Tokens) -> torch.Tensor:
    """Return sentences as the encoder reads them, (rows, time), each with its end."""
    return padded([np.concatenate([source, [BOUNDARY]]) for source in sources])
