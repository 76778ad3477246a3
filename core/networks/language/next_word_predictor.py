"""A trained language model that answers: likeliest words, losses of texts, perplexity."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders import causal
from core.encoders.devices import device_of
from core.networks.language import continuations
from core.networks.language.gradient_norms import gradient_norms
from core.networks.language.next_word import Shape, packed, restored
from core.networks.states import Arrays
from core.runtime.threads import BATCHES, side_by_side
from core.text.read_once import ReadOnce
from core.text.vocabulary import BOUNDARY, UNKNOWN

Texts = Sequence[NDArray[np.int64]]
"""Tokens of each of several documents."""

Answers = Callable[[torch.Tensor, NDArray[np.int64]], torch.Tensor]
"""What is answered from hidden states (positions, dimension) and the numbers of the positions, (positions, …)."""

Out = TypeVar("Out")
Scalar = TypeVar("Scalar", bound=np.generic)

_ROWS = 128
"""Windows that share a forward pass."""
_AT_ONCE = 256
"""Words whose losses are computed at a time: few enough for their log-probabilities to stay in the cache."""


class NextWordPredictor:
    """A trained network that caches its answers: the same query has the same answer."""

    def __init__(self, shape: Shape, state: Arrays) -> None:
        """Restore a network from the arrays of `finished`."""
        self._shape = shape
        self._device = torch.device(device_of("auto"))
        self._network = restored(shape, state).to(self._device).eval()
        self._predicted: dict[bytes, NDArray[np.int64]] = {}
        self._losses = ReadOnce(self._read_losses, methodcaller("tobytes"))
        self._standings = ReadOnce(self._read_standings, methodcaller("tobytes"))

    def likeliest(self, documents: Texts, positions: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """Return the likeliest word at positions of each document, given the words before.

        Documents are read in windows that overlap by half, and the positions in a window share one forward pass. The
        context of a position is at least half as long as the longest context, or all words before it.

        Args:
            documents: Tokens of each.
            positions: Positions of the words to predict, for each document; 0 is the first.
        """
        cached = [self._predicted.setdefault(text.tobytes(), np.full(len(text), -1)) for text in documents]
        missing = [queried[words[queried] < 0] for queried, words in zip(positions, cached, strict=True)]
        predicted = np.empty(sum(map(len, missing)), np.int64)
        for block, words in self._read(documents, missing, lambda hidden, _: self._network.likeliest(hidden)):
            predicted[block] = words
        for words, unknown, predictions in zip(cached, missing, _by_document(predicted, missing), strict=True):
            words[unknown] = predictions
        return [words[queried] for queried, words in zip(positions, cached, strict=True)]

    def losses(self, documents: Texts) -> list[NDArray[np.float64]]:
        """Return the loss of each word of each document, in nats, (words,); NaN for unknown words.

        Documents are read in the windows of `likeliest`, those of all documents in shared batches.
        """
        return self._losses(documents)

    def standings(self, documents: Texts) -> list[NDArray[np.float64]]:
        """Return loss, and mean and deviation of the log-probability of all words there, of each word, (words, 3)."""
        return self._standings(documents)

    def top_losses(self, documents: Texts, top: int) -> list[NDArray[np.float64]]:
        """Return each word's loss as who sees only the likeliest knows it, (words,); NaN for unknown words."""

        def measure(hidden: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
            return causal.top_losses(self._network.log_probabilities(hidden), tokens, top)[:, 0]

        return self._read_words(documents, measure)

    def gradient_norms(self, documents: Texts) -> NDArray[np.float64]:
        """Return the norm of the gradient of each document's mean loss, (documents,); NaN without known words.

        A document is read in the rows that training cuts it into, so its last words may be left out of a long one.
        """

        def loss(document: NDArray[np.int64]) -> torch.Tensor | None:
            rows, following = packed([document], min(self._shape.length, max(len(document), 1)))
            tokens, after = (torch.from_numpy(array).to(self._device) for array in (rows, following.flatten()))
            known = (after != UNKNOWN) & (after != BOUNDARY)
            if not known.any():
                return None
            return self._network.losses(self._network(tokens).flatten(0, 1)[known], after[known]).mean()

        weights = [weight for weight in self._network.parameters() if weight.requires_grad]
        return gradient_norms(weights, [partial(loss, document) for document in documents])

    def perplexity(self, documents: Texts) -> float:
        """Return the perplexity over known words and ends of documents; NaN without any."""
        rows, following = packed(documents, self._shape.length)

        def summed(first: int) -> tuple[float, int]:
            block = slice(first, first + _ROWS)
            tokens, after = (torch.from_numpy(array[block]).to(self._device) for array in (rows, following))
            known = (after != UNKNOWN).flatten()
            losses = self._network.losses(self._network(tokens).flatten(0, 1)[known], after.flatten()[known])
            return float(losses.sum(dtype=torch.float64)), len(losses)

        total, count = 0.0, 0
        for nats, words in self._in_batches(summed, len(rows)):
            total, count = total + nats, count + words
        return math.exp(total / count) if count else float("nan")

    def continued(self, prefixes: Texts, words: int) -> NDArray[np.int64]:
        """Return the likeliest next word again and again after each prefix, (prefixes, words)."""
        return continuations.greedy(self._network, self._shape.length, prefixes, words)

    def drawn(
        self, prefixes: Texts, words: int, top_k: int, temperature: float, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return one drawn continuation of each prefix, (prefixes, words)."""
        return continuations.drawn(self._network, self._shape.length, prefixes, words, top_k, temperature, rng)

    def log_rates(self, prefixes: Texts, following: Texts, top_k: int, temperature: float) -> NDArray[np.float64]:
        """Return the log-probability of `drawn` to give exactly the following words, in nats, (prefixes,)."""
        return continuations.log_rates(self._network, self._shape.length, prefixes, following, top_k, temperature)

    def _read_losses(self, documents: Texts) -> list[NDArray[np.float64]]:
        return self._read_words(documents, self._network.losses)

    def _read_standings(self, documents: Texts) -> list[NDArray[np.float64]]:
        def stand(hidden: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
            return causal.standings(self._network.log_probabilities(hidden), tokens)

        return self._read_words(documents, stand, 3)

    def _read_words(self, documents: Texts, measure: causal.Measure, *columns: int) -> list[NDArray[np.float64]]:
        """Return what is measured of each word of each document, (words, *columns); NaN for unknown words."""
        following, positions = _every_word(documents)
        values = np.empty((len(following), *columns))
        for block, read in self._read(documents, positions, self._in_parts(measure, following)):
            values[block] = read
        values[following == UNKNOWN] = np.nan
        return _by_document(values, positions)

    def _in_parts(self, measure: causal.Measure, following: NDArray[np.int64]) -> Answers:
        """Return what measures the words that follow hidden states, a few at a time."""

        def answers(hidden: torch.Tensor, block: NDArray[np.int64]) -> torch.Tensor:
            tokens = torch.from_numpy(following[block]).to(self._device)
            parts = zip(hidden.split(_AT_ONCE), tokens.split(_AT_ONCE), strict=True)
            return torch.cat([measure(*part) for part in parts])

        return answers

    def _read(
        self, documents: Texts, positions: Sequence[NDArray[np.int64]], answers: Answers
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
        """Yield the numbers of some positions among all, and what is answered from the hidden states before them."""
        length = self._shape.length
        half = max(length // 2, 1)
        windows: list[NDArray[np.int64]] = []
        row: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        column: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        for document, queried in zip(documents, positions, strict=True):
            if not len(queried):
                continue
            starts = np.maximum(queried // half - 1, 0) * half
            distinct, inverse = np.unique(starts, return_inverse=True)
            row.append(len(windows) + inverse)
            column.append(queried - starts)
            padded = np.concatenate([[BOUNDARY], document, np.full(length, BOUNDARY)])
            windows += [padded[start : start + length] for start in distinct]
        rows, columns = np.concatenate(row), np.concatenate(column)

        def block(first: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
            tokens = torch.from_numpy(np.stack(windows[first : first + _ROWS])).to(self._device)
            in_block = np.flatnonzero((rows >= first) & (rows < first + _ROWS))
            cells = torch.from_numpy(rows[in_block] - first), torch.from_numpy(columns[in_block])
            return in_block, answers(self._network(tokens)[cells], in_block).cpu().numpy()

        return self._in_batches(block, len(windows))

    def _in_batches(self, function: Callable[[int], Out], rows: int) -> Iterator[Out]:
        """Yield what a function returns for the first row of each batch; a graphics card has one batch at a time."""
        return side_by_side(function, range(0, rows, _ROWS), BATCHES if self._device.type == "cpu" else 1)


def _every_word(documents: Texts) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return the tokens of all documents in a row, and the positions of all words of each."""
    return np.concatenate([np.empty(0, np.int64), *documents]), [np.arange(len(document)) for document in documents]


def _by_document(values: NDArray[Scalar], positions: Sequence[NDArray[np.int64]]) -> list[NDArray[Scalar]]:
    """Return values as one array a document, which has as many as positions."""
    return np.split(values, np.cumsum([len(queried) for queried in positions])[:-1])[: len(positions)]
