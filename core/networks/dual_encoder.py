"""Encoders of sentences that learn to tell which sentence stands next to which: an LSTM or a Transformer over words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.networks.gradient_reversal import reverse
from core.networks.states import Arrays, adam, load, moments, weights

PADDING, UNKNOWN = 0, 1
"""Tokens that fill up a sentence, and that stand for every word outside the vocabulary."""

_CLIP = 1.0
_ROWS = 64


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    Attributes:
        body: ``"lstm"`` or ``"transformer"``.
        words: Size of the vocabulary, `PADDING` and `UNKNOWN` included.
        word_dimension: Length of a word's vector.
        dimension: Length of a sentence's vector.
        length: Words of a sentence that are read at most.
        told: How many words, those with the lowest tokens, an adversary is to tell from a vector; 0 for no adversary.
    """

    body: Literal["lstm", "transformer"]
    words: int
    word_dimension: int
    dimension: int
    length: int
    told: int = 0


class DualEncoder(nn.Module):
    """Words in, one vector a sentence out; both sentences of a pair are read by the same network."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.words, shape.word_dimension, padding_idx=PADDING)
        self.body: nn.Module = _Lstm(shape) if shape.body == "lstm" else _Transformer(shape)
        self.adversary = nn.Linear(shape.dimension, shape.told) if shape.told else None

    def forward(self, sentences: Sequence[NDArray[np.int64]]) -> torch.Tensor:
        """Return vectors, (sentences, dimension), for the tokens of each sentence; those of like length together."""
        order = np.argsort([len(sentence) for sentence in sentences], kind="stable")
        read = []
        for at in range(0, len(order), _ROWS):
            tokens = _padded([sentences[row] for row in order[at : at + _ROWS]], self.shape.length)
            read.append(self.read(self.embedding(tokens), tokens != PADDING))
        return torch.cat(read)[np.argsort(order)] if read else torch.empty((0, self.shape.dimension))

    def own(self) -> list[nn.Parameter]:
        """Return the encoder's parameters, without the adversary's: a norm of both would be nearly all the latter's."""
        return [*self.embedding.parameters(), *self.body.parameters()]

    def read(self, inputs: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """Return vectors, (sentences, dimension), for word vectors (sentences, time, d) and where there are words."""
        vectors: torch.Tensor = self.body(inputs, there)
        return vectors


class _Lstm(nn.Module):
    """The hidden state after the last word."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.recurrent = nn.LSTM(shape.word_dimension, shape.dimension, batch_first=True)

    def forward(self, inputs: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        hidden: torch.Tensor = self.recurrent(inputs)[0]  # (sentences, time, d)
        last = (there.sum(dim=1) - 1).clamp(min=0)
        return hidden[torch.arange(len(hidden)), last]


class _Transformer(nn.Module):
    """Three layers of self-attention, and the mean over the words."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.first = nn.Linear(shape.word_dimension, shape.dimension)
        self.places = nn.Parameter(torch.randn(shape.length, shape.dimension) * 0.02)
        layer = nn.TransformerEncoderLayer(
            shape.dimension,
            nhead=4,
            dim_feedforward=2 * shape.dimension,
            dropout=0.0,
            batch_first=True,
            norm_first=True,
            activation="gelu",
        )
        self.layers = nn.TransformerEncoder(layer, 3, norm=nn.LayerNorm(shape.dimension), enable_nested_tensor=False)

    def forward(self, inputs: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        read = self.first(inputs) + self.places[: inputs.shape[1]]
        # A sentence without words attends to its padding, for attention to nothing is no number.
        nothing = ~there.any(dim=1, keepdim=True)
        hidden = self.layers(read, src_key_padding_mask=~(there | nothing))
        counted = (there | nothing).unsqueeze(2)
        mean: torch.Tensor = (hidden * counted).sum(dim=1) / counted.sum(dim=1)
        return mean


def initial(shape: Shape, seed: int, sentences: Sequence[NDArray[np.int64]] = ()) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network; an adversary tells each word with its share of the sentences.

    Args:
        shape: What the network is made of.
        seed: Source of its weights.
        sentences: Tokens of the sentences that an adversary knows shares from.
    """
    torch.manual_seed(seed)
    network = DualEncoder(shape)
    if network.adversary is not None:
        counts = _named(sentences, shape.told).sum(dim=0)
        nn.init.zeros_(network.adversary.weight)
        with torch.no_grad():
            network.adversary.bias.copy_(torch.logit((counts + 0.5) / (len(sentences) + 1)))
    return weights(network)


def restored(shape: Shape, state: Arrays) -> DualEncoder:
    """Return the network of a state."""
    network = DualEncoder(shape)
    load(network, state)
    return network


def train_pass(
    shape: Shape,
    state: Arrays,
    sentences: Sequence[NDArray[np.int64]],
    pairs: NDArray[np.int64],
    *,
    batch: int,
    learning_rate: float,
    scale: float,
    strength: float,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Train for one pass over pairs of neighbouring sentences, with one thread.

    Each sentence of a pair is to name its neighbour among all those of the batch: the loss is the cross-entropy of a
    softmax over ``scale`` times the cosines, in both directions (Song and Raghunathan 2020, section 6.1: the negative
    samples are the other sentences of the batch). Where the shape has an adversary, it learns at the same time to tell
    of each word whether it stands in the sentence, from a vector of length one, and the encoder is led by the
    adversary's gradient with its sign changed.

    Args:
        shape: What the network is made of.
        state: What `initial` or the pass before returned.
        sentences: Tokens of each sentence.
        pairs: (pairs, 2) numbers of sentences that stand next to each other.
        batch: Pairs of a step.
        learning_rate: Adam's step size.
        scale: What cosines are multiplied with.
        strength: Weight of the adversary's gradient, where there is an adversary.
        rng: Draws the order of the pairs.

    Returns:
        The new state: weights, Adam's steps and moments, and ``loss``, the mean over the pairs, in nats.
    """
    torch.set_num_threads(1)
    network = restored(shape, state).train()
    optimiser = adam(network, state, learning_rate)
    order = rng.permutation(len(pairs))
    seen: dict[bytes, int] = {}
    text = np.array([seen.setdefault(sentence.tobytes(), len(seen)) for sentence in sentences])
    total, told = 0.0, torch.tensor(0.0)
    for chosen in np.array_split(order, max(round(len(order) / batch), 1)):
        first, second = (
            nn.functional.normalize(network([sentences[row] for row in pairs[chosen, side]])) for side in (0, 1)
        )
        scores = scale * first @ second.T
        truth = torch.arange(len(chosen))
        loss = torch.stack(
            [
                nn.functional.cross_entropy(asked.masked_fill(_repeated(text[pairs[chosen, side]]), -torch.inf), truth)
                for asked, side in ((scores, 1), (scores.T, 0))
            ]
        ).mean()
        if network.adversary is not None:
            both = torch.cat([first, second])
            scores = network.adversary(reverse(shape.dimension**0.5 * both, strength))
            there = _named([sentences[row] for side in (0, 1) for row in pairs[chosen, side]], shape.told)
            told = nn.functional.binary_cross_entropy_with_logits(scores, there, reduction="sum") / len(both)
            loss = loss + told
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.own(), _CLIP)
        optimiser.step()
        total += (loss - told).item() * len(chosen)
    mean = np.array(total / max(len(pairs), 1))
    return {**weights(network), **moments(network, optimiser), "loss": mean}


@torch.inference_mode()
def embed(network: DualEncoder, sentences: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
    """Return the vectors of sentences given by their tokens, (sentences, dimension), with one thread."""
    torch.set_num_threads(1)
    return np.asarray(network(sentences).numpy())


def _named(sentences: Sequence[NDArray[np.int64]], told: int) -> torch.Tensor:
    """Return which of the words that are told of stand in each sentence, (sentences, told)."""
    found = torch.zeros(len(sentences), told)
    for row, sentence in enumerate(sentences):
        words = sentence - UNKNOWN - 1
        found[row, torch.from_numpy(words[(words >= 0) & (words < told)])] = 1
    return found


def _repeated(text: NDArray[np.int64]) -> torch.Tensor:
    """Return which sentences say what another of the batch says, (sentences, sentences); neither is a wrong answer."""
    same = torch.from_numpy(text[:, None] == text)
    return same.fill_diagonal_(False)


def _padded(sentences: Sequence[NDArray[np.int64]], length: int) -> torch.Tensor:
    """Return sentences as one array of tokens, (sentences, time), each cut to ``length`` and filled up."""
    longest = min(max(map(len, sentences)), length)
    tokens = np.full((len(sentences), max(longest, 1)), PADDING, np.int64)
    for row, sentence in enumerate(sentences):
        tokens[row, : len(sentence[:length])] = sentence[:length]
    return torch.from_numpy(tokens)
