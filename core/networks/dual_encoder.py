"""Networks that embed sentences, trained to predict which sentences are neighbours: an LSTM or a Transformer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.networks.gradient_reversal import reverse
from core.networks.states import Arrays, adam, descend, load, moments, weights

PADDING, UNKNOWN = 0, 1
"""Tokens of padding, and of every word outside the vocabulary."""

_CLIP = 1.0
_ROWS = 64


@dataclass(frozen=True)
class Shape:
    """Sizes of a network; the field names enter the identity of a trained encoder.

    Attributes:
        body: ``"lstm"`` or ``"transformer"``.
        words: Size of the vocabulary, `PADDING` and `UNKNOWN` included.
        word_dimension: Length of a word's vector.
        dimension: Length of a sentence's vector.
        length: Most words of a sentence; the rest is cut off.
        told: Number of words, those with the lowest tokens, that an adversary predicts from a vector; 0 for none.
    """

    body: Literal["lstm", "transformer"]
    words: int
    word_dimension: int
    dimension: int
    length: int
    told: int = 0


class DualEncoder(nn.Module):
    """Words in, one vector per sentence out; both sentences of a pair go through the same network."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.words, shape.word_dimension, padding_idx=PADDING)
        self.body: nn.Module = _Lstm(shape) if shape.body == "lstm" else _Transformer(shape)
        self.adversary = nn.Linear(shape.dimension, shape.told) if shape.told else None

    def forward(self, sentences: Sequence[NDArray[np.int64]]) -> torch.Tensor:
        """Return vectors, (sentences, dimension), for the tokens of each sentence, in batches of similar length."""
        order = np.argsort([len(sentence) for sentence in sentences], kind="stable")
        vectors = []
        for start in range(0, len(order), _ROWS):
            tokens = _padded([sentences[row] for row in order[start : start + _ROWS]], self.shape.length)
            vectors.append(self.encode_vectors(self.embedding(tokens), tokens != PADDING))
        return torch.cat(vectors)[np.argsort(order)] if vectors else torch.empty((0, self.shape.dimension))

    def encoder_parameters(self) -> list[nn.Parameter]:
        """Return the parameters without the adversary's, which would dominate the norm of the gradient."""
        return [*self.embedding.parameters(), *self.body.parameters()]

    def encode_vectors(self, inputs: torch.Tensor, is_word: torch.Tensor) -> torch.Tensor:
        """Return vectors, (sentences, dimension), for word vectors (sentences, time, d) and a mask of words."""
        vectors: torch.Tensor = self.body(inputs, is_word)
        return vectors


class _Lstm(nn.Module):
    """The hidden state after the last word."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.recurrent = nn.LSTM(shape.word_dimension, shape.dimension, batch_first=True)

    def forward(self, inputs: torch.Tensor, is_word: torch.Tensor) -> torch.Tensor:
        hidden: torch.Tensor = self.recurrent(inputs)[0]  # (sentences, time, d)
        last = (is_word.sum(dim=1) - 1).clamp(min=0)
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

    def forward(self, inputs: torch.Tensor, is_word: torch.Tensor) -> torch.Tensor:
        vectors = self.first(inputs) + self.places[: inputs.shape[1]]
        # A sentence without words attends to its padding, because attention to nothing is not a number.
        attended = is_word | ~is_word.any(dim=1, keepdim=True)
        hidden = self.layers(vectors, src_key_padding_mask=~attended)
        counted = attended.unsqueeze(2)
        mean: torch.Tensor = (hidden * counted).sum(dim=1) / counted.sum(dim=1)
        return mean


def initial(shape: Shape, seed: int, sentences: Sequence[NDArray[np.int64]] = ()) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network, in which an adversary predicts each word's frequency in sentences."""
    torch.manual_seed(seed)
    network = DualEncoder(shape)
    if network.adversary is not None:
        counts = _present(sentences, shape.told).sum(dim=0)
        nn.init.zeros_(network.adversary.weight)
        with torch.no_grad():
            network.adversary.bias.copy_(torch.logit((counts + 0.5) / (len(sentences) + 1)))
    return weights(network)


def restored(shape: Shape, state: Arrays) -> DualEncoder:
    """Return the network of a state."""
    return load(DualEncoder(shape), state)


def train_epoch(
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
    """Train for one epoch over pairs of neighbouring sentences, with one thread.

    Each sentence of a pair predicts its neighbour among all those of the batch: the loss is the cross-entropy of a
    softmax over ``scale`` times the cosines, in both directions (Song and Raghunathan 2020, section 6.1: the negative
    samples are the other sentences of the batch). An adversary, if any, is trained at the same time to predict from the
    normalised vector which words are in the sentence; its gradient reaches the encoder with its sign changed.

    Args:
        shape: Shape of the network.
        state: State from `initial` or the previous epoch.
        sentences: Tokens of each sentence.
        pairs: (pairs, 2) numbers of neighbouring sentences.
        batch: Pairs per step.
        learning_rate: Adam's step size.
        scale: Factor of the cosines.
        strength: Weight of the adversary's gradient, if there is an adversary.
        rng: Draws the order of the pairs.

    Returns:
        The new state: weights, Adam's steps and moments, and ``loss``, the mean over the pairs, in nats.
    """
    torch.set_num_threads(1)
    network = restored(shape, state).train()
    optimiser = adam(network, state, learning_rate)
    order = rng.permutation(len(pairs))
    numbers: dict[bytes, int] = {}
    text = np.array([numbers.setdefault(sentence.tobytes(), len(numbers)) for sentence in sentences])
    total, adversary_loss = 0.0, torch.tensor(0.0)
    for chosen in np.array_split(order, max(round(len(order) / batch), 1)):
        first, second = (
            nn.functional.normalize(network([sentences[row] for row in pairs[chosen, side]])) for side in (0, 1)
        )
        scores = scale * first @ second.T
        truth = torch.arange(len(chosen))
        loss = torch.stack(
            [
                nn.functional.cross_entropy(logits.masked_fill(_repeated(text[pairs[chosen, side]]), -torch.inf), truth)
                for logits, side in ((scores, 1), (scores.T, 0))
            ]
        ).mean()
        if network.adversary is not None:
            both = torch.cat([first, second])
            scores = network.adversary(reverse(shape.dimension**0.5 * both, strength))
            present = _present([sentences[row] for side in (0, 1) for row in pairs[chosen, side]], shape.told)
            errors = nn.functional.binary_cross_entropy_with_logits(scores, present, reduction="sum")
            adversary_loss = errors / len(both)
            loss = loss + adversary_loss
        descend(optimiser, loss, network.encoder_parameters(), _CLIP)
        total += (loss - adversary_loss).item() * len(chosen)
    mean = np.array(total / max(len(pairs), 1))
    return {**weights(network), **moments(network, optimiser), "loss": mean}


@torch.inference_mode()
def embed(network: DualEncoder, sentences: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
    """Return the vectors of sentences given by their tokens, (sentences, dimension), with one thread."""
    torch.set_num_threads(1)
    return np.asarray(network(sentences).numpy())


def _present(sentences: Sequence[NDArray[np.int64]], count: int) -> torch.Tensor:
    """Return which of the most frequent words are in each sentence, (sentences, count)."""
    present = torch.zeros(len(sentences), count)
    for row, sentence in enumerate(sentences):
        words = sentence - UNKNOWN - 1
        present[row, torch.from_numpy(words[(words >= 0) & (words < count)])] = 1
    return present


def _repeated(text: NDArray[np.int64]) -> torch.Tensor:
    """Return which other sentences of the batch are equal, (sentences, sentences): they are no wrong answers."""
    same = torch.from_numpy(text[:, None] == text)
    return same.fill_diagonal_(False)


def _padded(sentences: Sequence[NDArray[np.int64]], length: int) -> torch.Tensor:
    """Return sentences as one padded array of tokens, (sentences, time), each cut to ``length``."""
    longest = min(max(map(len, sentences)), length)
    tokens = np.full((len(sentences), max(longest, 1)), PADDING, np.int64)
    for row, sentence in enumerate(sentences):
        tokens[row, : len(sentence[:length])] = sentence[:length]
    return torch.from_numpy(tokens)
