"""A Transformer for translation: an encoder reads a sentence, a decoder predicts its translation token by token."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from core.text.subwords import PADDING


@dataclass(frozen=True)
class Shape:
    """Sizes of a network.

    Attributes:
        sources: Size of the source vocabulary, `PADDING` and `BOUNDARY` included.
        targets: Size of the target vocabulary.
        tied: Whether both vocabularies are one, with one matrix for source, target and output embeddings.
        layers: Layers of the encoder, and of the decoder.
        dimension: Length of a subword's vector and of the hidden state.
        heads: Attention heads per layer.
        feed_forward: Hidden units of a layer's perceptron.
        dropout: Dropout of the inputs, and of what each residual block adds.
    """

    sources: int
    targets: int
    tied: bool
    layers: int
    dimension: int
    heads: int
    feed_forward: int
    dropout: tuple[float, float]


class Writer(nn.Module, ABC):
    """A decoder that predicts a text token by token, and attends to what it is written from.

    Positions are encoded by sines and cosines, so a text may have any length.

    Attributes:
        shape: Sizes of the network.
        writing: Vectors of the tokens.
        output: Hidden states to scores of the next token.
        dropout: Of the inputs.
        decoder: The layers.
        decoded: Normalises what comes out of the last one.
    """

    shape: Shape
    writing: nn.Embedding
    output: nn.Linear
    dropout: nn.Dropout
    decoder: nn.ModuleList
    decoded: nn.LayerNorm

    @abstractmethod
    def encode(self, sources: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return what the decoder attends to, (batch, time, d), and a mask of it, (batch, 1, 1, time), or None."""

    def forward(self, sources: torch.Tensor, prefixes: torch.Tensor) -> torch.Tensor:
        """Return hidden states, (batch, time, d), for what `encode` takes, and for texts, (batch, time)."""
        memory, mask = self.encode(sources)
        hidden = self.embed(self.writing, prefixes, 0)
        for layer in self.decoder:
            hidden = layer(hidden, memory, mask)
        normed: torch.Tensor = self.decoded(hidden)
        return normed

    def embed(self, embedding: nn.Embedding, tokens: torch.Tensor, first: int) -> torch.Tensor:
        """Return the input of the first layer, (batch, time, d); ``first`` is the position of the first column."""
        width = self.shape.dimension
        vectors = embedding(tokens) * math.sqrt(width) + _position_codes(first, tokens.shape[1], width)
        dropped: torch.Tensor = self.dropout(vectors)
        return dropped


class Transformer(Writer):
    """An encoder and a decoder (Vaswani et al. 2017) with pre-layer normalisation."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.reading = token_vectors(shape.sources, shape.dimension)
        self.writing = self.reading if shape.tied else token_vectors(shape.targets, shape.dimension)
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

    def encode(self, sources: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return the encoder's hidden states, (batch, time, d), and a mask of tokens, (batch, 1, 1, time).

        The mask is None if no sentence has padding.
        """
        is_token = sources != PADDING
        mask = None if bool(is_token.all()) else is_token[:, None, None, :]
        hidden = self.embed(self.reading, sources, 0)
        for layer in self.encoder:
            hidden = layer(hidden, mask)
        return self.encoded(hidden), mask


class EncoderLayer(nn.Module):
    """Self-attention and a perceptron."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape)
        self.perceptron = Perceptron(shape)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Return new hidden states, (batch, time, d)."""
        states: torch.Tensor = self.perceptron(self.attention(hidden, mask))
        return states


class DecoderLayer(nn.Module):
    """Causal self-attention, attention to the source sentence, and a perceptron."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = SelfAttention(shape)
        self.across = CrossAttention(shape)
        self.perceptron = Perceptron(shape)

    def forward(self, hidden: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Return new hidden states, (batch, time, d)."""
        hidden = self.attention(hidden, None, causal=True)
        states: torch.Tensor = self.perceptron(self.across(hidden, *self.across.project(memory), mask))
        return states


class SelfAttention(nn.Module):
    """A residual block in which tokens of one text attend to each other."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm = nn.LayerNorm(shape.dimension)
        self.inner = linear(shape.dimension, 3 * shape.dimension, parts=3)
        self.outer = linear(shape.dimension, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout[1])

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None, *, causal: bool = False) -> torch.Tensor:
        """Return new hidden states, (batch, time, d); tokens attend to earlier ones only if ``causal``."""
        query, key, value = self.project(hidden)
        return self.add(hidden, scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal))

    def project(self, hidden: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return queries, keys and values, (batch, heads, time, d / heads) each."""
        return tuple(_split_heads(part, self.heads) for part in self.inner(self.norm(hidden)).chunk(3, dim=-1))

    def add(self, hidden: torch.Tensor, attended: torch.Tensor) -> torch.Tensor:
        """Return hidden states plus what was attended to, (batch, heads, time, d / heads)."""
        added: torch.Tensor = self.dropout(self.outer(_merge_heads(attended)))
        return hidden + added


class CrossAttention(nn.Module):
    """A residual block in which tokens of a translation attend to the source sentence."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm = nn.LayerNorm(shape.dimension)
        self.query = linear(shape.dimension, shape.dimension)
        self.memory = linear(shape.dimension, 2 * shape.dimension, parts=2)
        self.outer = linear(shape.dimension, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout[1])

    def forward(
        self, hidden: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor | None
    ) -> torch.Tensor:
        """Return new hidden states, (batch, time, d), for the keys and values of `project`."""
        query = _split_heads(self.query(self.norm(hidden)), self.heads)
        attended = scaled_dot_product_attention(query, keys, values, attn_mask=mask)
        added: torch.Tensor = self.dropout(self.outer(_merge_heads(attended)))
        return hidden + added

    def project(self, memory: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return keys and values of the encoder's hidden states, (batch, heads, source time, d / heads) each."""
        keys, values = self.memory(memory).chunk(2, dim=-1)
        return _split_heads(keys, self.heads), _split_heads(values, self.heads)


class Perceptron(nn.Module):
    """A residual block with one hidden layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(shape.dimension)
        self.inner = linear(shape.dimension, shape.feed_forward)
        self.outer = linear(shape.feed_forward, shape.dimension)
        self.dropout = nn.Dropout(shape.dropout[1])

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return new hidden states, (batch, time, d)."""
        added: torch.Tensor = self.dropout(self.outer(self.inner(self.norm(hidden)).relu_()))
        return hidden + added


def token_vectors(tokens: int, width: int) -> nn.Embedding:
    """Return a table of vectors of expected length one, (tokens, width)."""
    table = nn.Embedding(tokens, width)
    nn.init.normal_(table.weight, std=width**-0.5)
    return table


def linear(inputs: int, outputs: int, parts: int = 1) -> nn.Linear:
    """Return a layer of which each part is initialised as a layer of its own (Glorot and Bengio 2010)."""
    layer = nn.Linear(inputs, outputs)
    for part in layer.weight.data.chunk(parts):
        nn.init.xavier_uniform_(part)
    nn.init.zeros_(layer.bias)
    return layer


def _split_heads(hidden: torch.Tensor, heads: int) -> torch.Tensor:
    """Return (batch, time, d) as (batch, heads, time, d / heads)."""
    batch, time, width = hidden.shape
    return hidden.view(batch, time, heads, width // heads).transpose(1, 2)


def _merge_heads(attended: torch.Tensor) -> torch.Tensor:
    """Return (batch, heads, time, d / heads) as (batch, time, d)."""
    return attended.transpose(1, 2).flatten(2)


def _position_codes(first: int, count: int, width: int) -> torch.Tensor:
    """Return sines and cosines of positions from ``first`` on, (count, width) (Vaswani et al. 2017, section 3.5)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000) / width))
    angles = torch.arange(first, first + count)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :width]
