"""A recurrent network that writes a text from one vector, word by word."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.seeding import generator

if TYPE_CHECKING:
    import torch

END = 0
"""Stands before the first word and after the last."""
UNKNOWN = 1
"""Stands for every word outside the vocabulary; never written."""
_MARKS = 2
_NOTHING = -100
_WORD = re.compile(r"\w+")
_BLOCK = 256
_STEEPEST = 5.0


@dataclass(frozen=True)
class Vocabulary:
    """The words that a decoder can write; word ``n`` has the number ``n + 2``."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str], fewest: int, most: int) -> "Vocabulary":
        """Return the words, in lower case, that occur often enough in some texts, the most frequent first.

        Args:
            texts: Where they are counted.
            fewest: Occurrences that a word must have.
            most: Words at most; of equally frequent ones the first of the alphabet.
        """
        counted = Counter(word for text in texts for word in _WORD.findall(text.casefold()))
        frequent = [word for word, count in counted.items() if count >= fewest]
        return cls(tuple(sorted(frequent, key=lambda word: (-counted[word], word))[:most]))

    def __len__(self) -> int:
        """Return how many numbers there are, marks included."""
        return len(self.words) + _MARKS

    def numbers(self, texts: Sequence[str], length: int) -> NDArray[np.int64]:
        """Return the first words of texts, (texts, length); `END` after the last, -100 behind it."""
        known = {word: number for number, word in enumerate(self.words, start=_MARKS)}
        rows = np.full((len(texts), length), _NOTHING, dtype=np.int64)
        for row, text in zip(rows, texts, strict=True):
            found = [known.get(word, UNKNOWN) for word in _WORD.findall(text.casefold())]
            whole = [*found, END][:length]
            row[: len(whole)] = whole
        return rows

    def text(self, numbers: NDArray[np.integer[Any]]) -> str:
        """Return what was written before the end.

        >>> Vocabulary(("a", "tree")).text(np.array([3, 2, 0, 0]))
        'tree a'
        """
        ends = np.flatnonzero(numbers == END)
        written = numbers[: ends[0]] if len(ends) else numbers
        return " ".join(self.words[number - _MARKS] for number in written)


@dataclass(frozen=True)
class Training:
    """What a decoder learns from, and how.

    Attributes:
        vectors: (texts, dimension) what it is given.
        numbers: (texts, length) what it shall write, from `Vocabulary.numbers`.
        taught: How many of the texts teach it; the loss on those behind them is only measured.
        vocabulary: How many numbers there are.
        hidden: Units of the recurrent layer, and numbers of a word's vector.
        bidirectional: Whether a second layer reads from the end to the beginning.
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
    """One LSTM layer whose first state is a linear map of a vector (Sutskever et al. 2014)."""

    def __init__(self, course: Training, state: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Begin anew, or where another stopped.

        Args:
            course: What to learn.
            state: What `state` returned.
        """
        import torch
        from torch import nn

        torch.set_num_threads(1)
        torch.manual_seed(int(generator(course.seed, "decoder").integers(2**31)))
        self._course = course
        self._center = course.vectors[: course.taught].mean(axis=0)
        self._scale = np.maximum(course.vectors[: course.taught].std(axis=0), 1e-6)
        size, directions = course.hidden, 1 + course.bidirectional
        self._layers = nn.ModuleDict(
            {
                "first": nn.Linear(course.vectors.shape[1], 2 * directions * size),
                "words": nn.Embedding(course.vocabulary, size),
                "recurrent": nn.LSTM(size, size, batch_first=True, bidirectional=course.bidirectional),
                "last": nn.Linear(directions * size, course.vocabulary),
            }
        )
        self._optimiser = torch.optim.Adam(self._layers.parameters(), lr=course.learning_rate)
        if state is not None:
            self._restore(state)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return everything needed to go on."""
        kept: dict[str, NDArray[Any]] = {}
        for name, weight in self._layers.named_parameters():
            kept[f"weight.{name}"] = weight.detach().numpy().copy()
            for what, value in self._optimiser.state[weight].items():
                kept[f"{what}.{name}"] = value.numpy().copy()
        return kept

    def train_epoch(self, epoch: int) -> float:
        """Pass once over the texts, each word given the true ones before it; return the mean loss a word, in nats."""
        import torch

        course = self._course
        order = generator(course.seed, "epoch", epoch).permutation(course.taught)
        total, words = 0.0, 0
        for rows in np.array_split(order, max(1, round(len(order) / course.batch))):
            loss, count = self._loss(rows)
            self._optimiser.zero_grad(set_to_none=True)
            (loss / count).backward()
            torch.nn.utils.clip_grad_norm_(self._layers.parameters(), _STEEPEST)
            self._optimiser.step()
            total, words = total + float(loss.detach()), words + count
        return total / words

    def held_out_loss(self) -> float:
        """Return the mean loss a word on the texts it is not taught, in nats; NaN when there are none."""
        import torch

        rows = np.arange(self._course.taught, len(self._course.vectors))
        if not len(rows):
            return float("nan")
        with torch.inference_mode():
            blocks = [self._loss(rows[at : at + _BLOCK]) for at in range(0, len(rows), _BLOCK)]
        return sum(float(loss) for loss, _ in blocks) / sum(count for _, count in blocks)

    def write(self, vectors: NDArray[np.float32]) -> NDArray[np.int32]:
        """Write a text for each vector, always taking the likeliest next word, (vectors, length)."""
        import torch

        with torch.inference_mode():
            blocks = [self._write(vectors[at : at + _BLOCK]) for at in range(0, len(vectors), _BLOCK)]
        return np.concatenate(blocks) if blocks else np.empty((0, self._course.numbers.shape[1]), np.int32)

    def _restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        import torch

        with torch.no_grad():
            for name, weight in self._layers.named_parameters():
                weight.copy_(torch.from_numpy(np.array(state[f"weight.{name}"])))
                self._optimiser.state[weight] = {
                    what: torch.from_numpy(np.array(state[f"{what}.{name}"]))
                    for what in ("step", "exp_avg", "exp_avg_sq")
                }

    def _begin(self, vectors: NDArray[np.float32]) -> "tuple[torch.Tensor, torch.Tensor]":
        import torch

        known = torch.from_numpy(((vectors - self._center) / self._scale).astype(np.float32))
        size, directions = self._course.hidden, 1 + self._course.bidirectional
        state = self._layers["first"](known).view(len(vectors), 2, directions, size)  # (rows, 2, directions, hidden)
        return state[:, 0].transpose(0, 1).contiguous(), state[:, 1].transpose(0, 1).contiguous()

    def _loss(self, rows: NDArray[np.int64]) -> "tuple[torch.Tensor, int]":
        """Return the loss added up over all words of some texts, and how many they are."""
        import torch
        from torch.nn.functional import cross_entropy

        wanted = torch.from_numpy(self._course.numbers[rows])  # (rows, length)
        before = torch.cat([torch.full_like(wanted[:, :1], END), wanted[:, :-1].clamp(min=END)], dim=1)
        hidden, _ = self._layers["recurrent"](self._layers["words"](before), self._begin(self._course.vectors[rows]))
        there = wanted != _NOTHING
        scores = self._layers["last"](hidden[there])  # (words, vocabulary)
        return cross_entropy(scores, wanted[there], reduction="sum"), int(there.sum())

    def _write(self, vectors: NDArray[np.float32]) -> NDArray[np.int32]:
        import torch

        begin = state = self._begin(vectors)
        written = torch.full((len(vectors), 1), END)
        ended = torch.zeros(len(vectors), dtype=torch.bool)
        for _ in range(self._course.numbers.shape[1]):
            if self._course.bidirectional:
                # What reads backwards must read all that is written again.
                hidden, _ = self._layers["recurrent"](self._layers["words"](written), begin)
            else:
                hidden, state = self._layers["recurrent"](self._layers["words"](written[:, -1:]), state)
            scores = self._layers["last"](hidden[:, -1])  # (rows, vocabulary)
            scores[:, UNKNOWN] = -torch.inf
            word = scores.argmax(dim=1).masked_fill(ended, END)
            ended |= word == END
            written = torch.cat([written, word[:, None]], dim=1)
        return np.asarray(written[:, 1:].numpy(), dtype=np.int32)
