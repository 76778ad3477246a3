"""A BiLSTM-CRF network that predicts the intent of a request and the slot of each word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torchcrf
from numpy.typing import NDArray
from torch import nn

from core.networks.states import Arrays, Steps, adam, begin, descend, load, moments, weights
from core.statistics.slot_f1 import slot_f1
from core.text.request_vocabulary import Encoded, RequestVocabulary

_CLIP = 5.0
_CHARACTERS = 30
_CODES = 129
_FILTERS = 30
_WIDTH = 3
_LONGEST = 20
_ROWS = 512


@dataclass(frozen=True)
class Shape:
    """Sizes of a network.

    Attributes:
        dimension: Length of a word's vector.
        hidden: Units of each direction of each recurrent layer.
        layers: Recurrent layers.
        intents: Number of intents.
        tags: Number of slot tags.
        trainable: Whether the word vectors are trained too.
        characters: Whether words have character embeddings besides.
        dropout: Dropout of the inputs and of the hidden units.
    """

    dimension: int
    hidden: int
    layers: int
    intents: int
    tags: int
    trainable: bool
    characters: bool
    dropout: tuple[float, float]


@dataclass(frozen=True)
class Words:
    """Word vectors and spelling before training.

    Attributes:
        vectors: (words, dimension) float32.
        spelling: (words, longest) the code of each character, 0 after the last.
    """

    vectors: NDArray[np.float32]
    spelling: NDArray[np.int64]

    @classmethod
    def of(cls, words: Sequence[str], vectors: NDArray[np.float32]) -> "Words":
        """Spell words; characters beyond the twentieth are dropped, and those outside ASCII share one code."""
        spelling = np.zeros((len(words), _LONGEST), np.int64)
        for row, word in enumerate(words):
            codes = [min(ord(character), _CODES - 1) for character in word[:_LONGEST]]
            spelling[row, : len(codes)] = codes
        return cls(vectors, spelling)


class Crf(torchcrf.CRF):  # type: ignore[misc]
    """A linear-chain conditional random field whose normaliser is a product of matrices.

    The library sums over all pairs of tags in log space, word by word. The products give the same number with one
    exponential per tag instead of one per pair of tags.
    """

    def __init__(self, tags: int) -> None:
        super().__init__(tags, batch_first=True)

    def losses(self, emissions: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        """Return the negative log-probability of tags (batch, time), given emissions (batch, time, tags); (batch,)."""
        losses: torch.Tensor = -self(emissions, tags, torch.ones(tags.shape, dtype=torch.bool), reduction="none")
        return losses

    def best(self, emissions: torch.Tensor) -> list[list[int]]:
        """Return the likeliest tags of each request, given emissions (batch, time, tags)."""
        tags: list[list[int]] = self.decode(emissions, torch.ones(emissions.shape[:2], dtype=torch.bool))
        return tags

    def _compute_normalizer(self, emissions: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        score = self.start_transitions + emissions[0]  # (batch, tags)
        transitions = self.transitions.exp()
        for emission in emissions[1:]:
            largest = score.detach().amax(dim=1, keepdim=True)
            score = ((score - largest).exp() @ transitions).log() + largest + emission
        normalizer: torch.Tensor = torch.logsumexp(score + self.end_transitions, dim=1)
        return normalizer


class BilstmCrf(nn.Module):
    """Word vectors, bidirectional recurrent layers, a softmax over intents and a CRF over tags."""

    vectors: torch.Tensor
    spelling: torch.Tensor

    def __init__(self, shape: Shape, words: Words) -> None:
        super().__init__()
        vectors = torch.from_numpy(words.vectors.copy())
        if shape.trainable:
            self.vectors = nn.Parameter(vectors)
        else:
            self.register_buffer("vectors", vectors, persistent=False)
        self.register_buffer("spelling", torch.from_numpy(words.spelling), persistent=False)
        self.characters = nn.Embedding(_CODES, _CHARACTERS, padding_idx=0) if shape.characters else None
        self.filters = nn.Conv1d(_CHARACTERS, _FILTERS, _WIDTH, padding=1) if shape.characters else None
        wide = shape.dimension + (_FILTERS if shape.characters else 0)
        input_dropout, hidden_dropout = shape.dropout
        self.before, self.after = nn.Dropout(input_dropout), nn.Dropout(hidden_dropout)
        self.recurrent = nn.LSTM(
            wide,
            shape.hidden,
            shape.layers,
            batch_first=True,
            bidirectional=True,
            dropout=hidden_dropout if shape.layers > 1 else 0.0,
        )
        self.intent = nn.Linear(2 * shape.hidden, shape.intents)
        self.emission = nn.Linear(2 * shape.hidden, shape.tags)
        self.field = Crf(shape.tags)

    def describe(self, words: torch.Tensor) -> torch.Tensor:
        """Return the inputs of the recurrent layers for words, (..., d); each distinct word is embedded once."""
        if self.filters is None:
            return self.spell(words)
        distinct, inverse = torch.unique(words, return_inverse=True)
        return self.spell(distinct)[inverse]

    def spell(self, words: torch.Tensor) -> torch.Tensor:
        """Return the same, one embedding per occurrence."""
        vectors = self.vectors[words]
        if self.characters is None or self.filters is None:
            return vectors
        spelling = self.characters(self.spelling[words]).flatten(0, -3).transpose(1, 2)  # (words, d, characters)
        features = self.filters(spelling).amax(dim=2)  # (words, filters)
        return torch.cat([vectors, features.reshape(*words.shape, -1)], dim=-1)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores of intents (batch, intents) and of tags (batch, time, tags) for inputs (batch, time, d)."""
        hidden, (last, _) = self.recurrent(self.before(inputs))  # (batch, time, 2 h), (2 layers, batch, h)
        both = torch.cat([last[-2], last[-1]], dim=1)  # final state of each direction, (batch, 2 h)
        return self.intent(self.after(both)), self.emission(self.after(hidden))

    def losses(self, inputs: torch.Tensor, intents: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        """Return the sum of the losses of intent and tags of each request, (batch,)."""
        scores, emissions = self(inputs)
        intent_losses = nn.functional.cross_entropy(scores, intents, reduction="none")
        return intent_losses + self.field.losses(emissions, tags)


@dataclass(frozen=True)
class Evaluation:
    """How well a network predicts intents and slots.

    Attributes:
        loss: Mean loss per request.
        intent_accuracy: Share of requests with the right intent.
        slot_f1: Harmonic mean of precision and recall of the slots.
    """

    loss: float
    intent_accuracy: float
    slot_f1: float


def initial(shape: Shape, words: Words, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network."""
    torch.manual_seed(int(rng.integers(2**31)))
    return weights(BilstmCrf(shape, words))


def restored(shape: Shape, words: Words, state: Arrays) -> BilstmCrf:
    """Return the network of a state."""
    return load(BilstmCrf(shape, words), state)


def train_epoch(
    shape: Shape,
    words: Words,
    state: Arrays,
    requests: Encoded,
    steps: Steps,
    rng: np.random.Generator,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Train for one epoch over requests.

    Args:
        shape: Shape of the network.
        words: Word vectors and spelling before training.
        state: State from `initial` or the previous epoch.
        requests: Training requests.
        steps: Number of requests per step, all of one length, and step size.
        rng: Source of all randomness.

    Returns:
        The new state (weights, Adam's steps and moments), and the mean loss per request.
    """
    begin(rng)
    network = restored(shape, words, state).train()
    optimiser = adam(network, state, steps.learning_rate)
    total = 0.0
    for rows in requests.batches(steps.batch, rng):
        tokens, intents, tags = tensors(requests, rows)
        losses = network.losses(network.describe(tokens), intents, tags)
        descend(optimiser, losses.mean(), list(network.parameters()), _CLIP)
        total += float(losses.detach().sum())
    return {**weights(network), **moments(network, optimiser)}, total / max(len(requests), 1)


@torch.inference_mode()
def evaluate(network: BilstmCrf, requests: Encoded, request_vocabulary: RequestVocabulary) -> Evaluation:
    """Return how well a network predicts intents and slots of requests."""
    network.eval()
    hits, loss = 0, 0.0
    true, predicted = [], []
    for rows in requests.batches(_ROWS):
        tokens, intents, tags = tensors(requests, rows)
        inputs = network.describe(tokens)
        losses = network.losses(inputs, intents.clamp(min=0), tags)
        loss += float(losses[intents >= 0].sum())  # an intent outside the training data has no loss
        scores, emissions = network(inputs)
        hits += int((scores.argmax(dim=1) == intents).sum())
        true += tags.tolist()
        predicted += network.field.best(emissions)
    true_tags, predicted_tags = (
        [[request_vocabulary.tags[tag] for tag in row] for row in rows] for rows in (true, predicted)
    )
    count = max(len(requests), 1)
    return Evaluation(loss / count, hits / count, slot_f1(true_tags, predicted_tags))


class OpenNetwork:
    """A trained network with its weights, for an adversary who has the model."""

    def __init__(self, network: BilstmCrf, request_vocabulary: RequestVocabulary) -> None:
        """Take a network in evaluation mode, with fixed weights."""
        self._network = network.eval().requires_grad_(False)
        self._vocabulary = request_vocabulary

    def parameters(self) -> dict[str, torch.Tensor]:
        """Return weights and word vectors by name."""
        return dict(self._network.named_parameters()) | dict(self._network.named_buffers())

    def describe(self, words: Sequence[str]) -> torch.Tensor:
        """Return the inputs of the recurrent layers for words, (words, d)."""
        return self._network.describe(torch.from_numpy(self._vocabulary.numbers(words)))

    def losses(self, inputs: torch.Tensor, intents: Sequence[str], tags: Sequence[Sequence[str]]) -> torch.Tensor:
        """Return the loss of each run, (puzzles, runs), for inputs (puzzles, runs, time, d) and labels by puzzle."""
        puzzles, runs = inputs.shape[:2]
        intent_numbers = torch.from_numpy(self._vocabulary.intent_numbers(intents)).repeat_interleave(runs)
        tag_numbers = torch.from_numpy(np.stack([self._vocabulary.tag_numbers(row) for row in tags]))
        losses = self._network.losses(inputs.flatten(0, 1), intent_numbers, tag_numbers.repeat_interleave(runs, 0))
        return losses.reshape(puzzles, runs)


def tensors(requests: Encoded, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return words (requests, time), intents (requests,) and tags (requests, time) of requests of equal length."""
    words, tags = requests.alike(rows)
    return torch.from_numpy(words), torch.from_numpy(requests.intents[rows]), torch.from_numpy(tags)
