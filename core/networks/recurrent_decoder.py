"""A recurrent network that decodes a text from one vector, word by word."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.seeding import generator

if TYPE_CHECKING:
    import torch

END = 0
"""Token before the first word and after the last."""
UNKNOWN = 1
"""Token of every word outside the vocabulary; never predicted."""
_MARKS = 2
_PADDING = -100
_WORD = re.compile(r"\w+")
_BLOCK = 256
_CLIP = 5.0


@dataclass(frozen=True)
class Vocabulary:
    """The words that a decoder can predict; word ``n`` has the token ``n + 2``."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str], fewest: int, most: int) -> "Vocabulary":
        """Return at most ``most`` lower-case words that occur ``fewest`` times, by frequency and then by alphabet."""
        counts = Counter(word for text in texts for word in _WORD.findall(text.casefold()))
        frequent = [word for word, count in counts.items() if count >= fewest]
        return cls(tuple(sorted(frequent, key=lambda word: (-counts[word], word))[:most]))

    def __len__(self) -> int:
        """Return the number of tokens, marks included."""
        return len(self.words) + _MARKS

    def numbers(self, texts: Sequence[str], length: int) -> NDArray[np.int64]:
        """Return the first tokens of texts, (texts, length), with `END` after the last word and -100 as padding."""
        number_of = {word: number for number, word in enumerate(self.words, start=_MARKS)}
        rows = np.full((len(texts), length), _PADDING, dtype=np.int64)
        for row, text in zip(rows, texts, strict=True):
            tokens = [number_of.get(word, UNKNOWN) for word in _WORD.findall(text.casefold())]
            tokens = [*tokens, END][:length]
            row[: len(tokens)] = tokens
        return rows

    def text(self, numbers: NDArray[np.integer[Any]]) -> str:
        """Return the words before the end.

        >>> Vocabulary(("a", "tree")).text(np.array([3, 2, 0, 0]))
        'tree a'
        """
        ends = np.flatnonzero(numbers == END)
        before_end = numbers[: ends[0]] if len(ends) else numbers
        return " ".join(self.words[number - _MARKS] for number in before_end)


@dataclass(frozen=True)
class Training:
    """What a decoder is trained on, and how.

    Attributes:
        vectors: (texts, dimension) its inputs.
        numbers: (texts, length) its targets, from `Vocabulary.numbers`.
        taught: Number of training texts; the texts after them are held out.
        vocabulary: Number of tokens.
        hidden: Units of the recurrent layer, and length of a word's vector.
        bidirectional: Whether a second layer reads from the end to the start.
        batch: Texts in a batch.
        learning_rate: Adam's step size.
        seed: Source of all randomness.
    """

    vectors: NDArray[np.float32]
    numbers: NDArray[np.int64]
    taught: int
    vocabulary: int
    hidden: int
    bidirectional: bool
    batch: int
    learning_rate: float
    seed: int


class Decoder:
    """One LSTM layer whose initial state is a linear map of a vector (Sutskever et al. 2014)."""

    def __init__(self, training: Training, state: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Build an untrained decoder, or continue from a `state`."""
        import torch
        from torch import nn

        from core.networks import states

        torch.set_num_threads(1)
        torch.manual_seed(int(generator(training.seed, "decoder").integers(2**31)))
        self._training = training
        self._center = training.vectors[: training.taught].mean(axis=0)
        self._scale = np.maximum(training.vectors[: training.taught].std(axis=0), 1e-6)
        size, directions = training.hidden, 1 + training.bidirectional
        self._layers = nn.ModuleDict(
            {
                "first": nn.Linear(training.vectors.shape[1], 2 * directions * size),
                "words": nn.Embedding(training.vocabulary, size),
                "recurrent": nn.LSTM(size, size, batch_first=True, bidirectional=training.bidirectional),
                "last": nn.Linear(directions * size, training.vocabulary),
            }
        )
        if state is not None:
            states.load(self._layers, state)
        self._optimiser = states.adam(self._layers, state or {}, training.learning_rate)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return weights and Adam's moments, from which training can continue."""
        from core.networks import states

        return {**states.weights(self._layers), **states.moments(self._layers, self._optimiser)}

    def train_epoch(self, epoch: int, vectors: NDArray[np.float32] | None = None) -> float:
        """Train for one epoch with teacher forcing; return the mean loss per word, in nats.

        Args:
            epoch: Number of the epoch, from 0.
            vectors: (texts, dimension) inputs of this epoch, where they are not always the same.
        """
        from core.networks.states import descend

        training = self._training if vectors is None else replace(self._training, vectors=vectors)
        order = generator(training.seed, "epoch", epoch).permutation(training.taught)
        total, words = 0.0, 0
        for rows in np.array_split(order, max(1, round(len(order) / training.batch))):
            loss, count = self._loss(rows, training)
            descend(self._optimiser, loss / count, list(self._layers.parameters()), _CLIP)
            total, words = total + float(loss.detach()), words + count
        return total / words

    def held_out_loss(self) -> float:
        """Return the mean loss per word on the held-out texts, in nats; NaN without any."""
        import torch

        rows = np.arange(self._training.taught, len(self._training.vectors))
        if not len(rows):
            return float("nan")
        with torch.inference_mode():
            blocks = [self._loss(rows[start : start + _BLOCK], self._training) for start in range(0, len(rows), _BLOCK)]
        return sum(float(loss) for loss, _ in blocks) / sum(count for _, count in blocks)

    def write(self, vectors: NDArray[np.float32]) -> NDArray[np.int32]:
        """Return the greedily decoded tokens of each vector, (vectors, length)."""
        import torch

        with torch.inference_mode():
            blocks = [self._write(vectors[start : start + _BLOCK]) for start in range(0, len(vectors), _BLOCK)]
        return np.concatenate(blocks) if blocks else np.empty((0, self._training.numbers.shape[1]), np.int32)

    def _begin(self, vectors: NDArray[np.float32]) -> "tuple[torch.Tensor, torch.Tensor]":
        import torch

        inputs = torch.from_numpy(((vectors - self._center) / self._scale).astype(np.float32))
        size, directions = self._training.hidden, 1 + self._training.bidirectional
        state = self._layers["first"](inputs).view(len(vectors), 2, directions, size)  # (rows, 2, directions, hidden)
        return state[:, 0].transpose(0, 1).contiguous(), state[:, 1].transpose(0, 1).contiguous()

    def _loss(self, rows: NDArray[np.int64], training: Training) -> "tuple[torch.Tensor, int]":
        """Return the loss summed over all words of texts, and the number of words."""
        import torch
        from torch.nn.functional import cross_entropy

        targets = torch.from_numpy(training.numbers[rows])  # (rows, length)
        before = torch.cat([torch.full_like(targets[:, :1], END), targets[:, :-1].clamp(min=END)], dim=1)
        hidden, _ = self._layers["recurrent"](self._layers["words"](before), self._begin(training.vectors[rows]))
        is_token = targets != _PADDING
        scores = self._layers["last"](hidden[is_token])  # (words, vocabulary)
        return cross_entropy(scores, targets[is_token], reduction="sum"), int(is_token.sum())

    def _write(self, vectors: NDArray[np.float32]) -> NDArray[np.int32]:
        import torch

        begin = state = self._begin(vectors)
        written = torch.full((len(vectors), 1), END)
        ended = torch.zeros(len(vectors), dtype=torch.bool)
        for _ in range(self._training.numbers.shape[1]):
            if self._training.bidirectional:
                # The backward layer must read the whole prefix again.
                hidden, _ = self._layers["recurrent"](self._layers["words"](written), begin)
            else:
                hidden, state = self._layers["recurrent"](self._layers["words"](written[:, -1:]), state)
            scores = self._layers["last"](hidden[:, -1])  # (rows, vocabulary)
            scores[:, UNKNOWN] = -torch.inf
            word = scores.argmax(dim=1).masked_fill(ended, END)
            ended |= word == END
            written = torch.cat([written, word[:, None]], dim=1)
        return np.asarray(written[:, 1:].numpy(), dtype=np.int32)
