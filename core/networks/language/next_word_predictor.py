"""A trained language model that answers: likeliest words, losses of texts, perplexity."""

import math
from collections.abc import Iterator, Sequence
from operator import methodcaller
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders import causal
from core.encoders.devices import device_of
from core.networks.language import continuations
from core.networks.language.next_word import Shape, packed, restored
from core.networks.states import Arrays
from core.text.read_once import ReadOnce
from core.text.vocabulary import BOUNDARY, UNKNOWN

Texts = Sequence[NDArray[np.int64]]
"""Tokens of each of several documents."""

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

    @torch.inference_mode()
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
        for block, hidden in self._states(documents, missing):
            predicted[block] = self._network.likeliest(hidden).cpu().numpy()
        for words, unknown, predictions in zip(cached, missing, _by_document(predicted, missing), strict=True):
            words[unknown] = predictions
        return [words[queried] for queried, words in zip(positions, cached, strict=True)]

    @torch.inference_mode()
    def losses(self, documents: Texts) -> list[NDArray[np.float64]]:
        """Return the loss of each word of each document, in nats, (words,); NaN for unknown words.

        Documents are read in the windows of `likeliest`, those of all documents in shared batches.
        """
        return self._losses(documents)

    @torch.inference_mode()
    def standings(self, documents: Texts) -> list[NDArray[np.float64]]:
        """Return loss, and mean and deviation of the log-probability of all words there, of each word, (words, 3)."""
        return self._standings(documents)

    @torch.inference_mode()
    def perplexity(self, documents: Texts) -> float:
        """Return the perplexity over known words and ends of documents; NaN without any."""
        rows, following = packed(documents, self._shape.length)
        total, count = 0.0, 0
        for start in range(0, len(rows), _ROWS):
            block = slice(start, start + _ROWS)
            tokens, after = (torch.from_numpy(array[block]).to(self._device) for array in (rows, following))
            known = (after != UNKNOWN).flatten()
            losses = self._network.losses(self._network(tokens).flatten(0, 1)[known], after.flatten()[known])
            total, count = total + float(losses.sum(dtype=torch.float64)), count + len(losses)
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
        following, positions = _every_word(documents)
        losses = np.empty(len(following))
        for part, hidden in self._in_parts(documents, positions):
            tokens = torch.from_numpy(following[part]).to(self._device)
            losses[part] = self._network.losses(hidden, tokens).cpu().numpy()
        losses[following == UNKNOWN] = np.nan
        return _by_document(losses, positions)

    def _read_standings(self, documents: Texts) -> list[NDArray[np.float64]]:
        following, positions = _every_word(documents)
        standings = np.empty((len(following), 3))
        for part, hidden in self._in_parts(documents, positions):
            logs = self._network.log_probabilities(hidden)  # (part, words)
            tokens = torch.from_numpy(following[part]).to(self._device)
            standings[part] = causal.standings(logs, tokens).cpu().numpy()
        standings[following == UNKNOWN] = np.nan
        return _by_document(standings, positions)

    def _in_parts(
        self, documents: Texts, positions: Sequence[NDArray[np.int64]]
    ) -> Iterator[tuple[NDArray[np.int64], torch.Tensor]]:
        """Yield what `_states` yields in smaller parts."""
        for block, hidden in self._states(documents, positions):
            for first in range(0, len(block), _AT_ONCE):
                yield block[first : first + _AT_ONCE], hidden[first : first + _AT_ONCE]

    def _states(
        self, documents: Texts, positions: Sequence[NDArray[np.int64]]
    ) -> Iterator[tuple[NDArray[np.int64], torch.Tensor]]:
        """Yield the hidden states before positions of documents, some at a time, with their numbers among all."""
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
        for first in range(0, len(windows), _ROWS):
            tokens = torch.from_numpy(np.stack(windows[first : first + _ROWS])).to(self._device)
            in_block = np.flatnonzero((rows >= first) & (rows < first + _ROWS))
            cells = torch.from_numpy(rows[in_block] - first), torch.from_numpy(columns[in_block])
            yield in_block, self._network(tokens)[cells]  # (positions, d)


def _every_word(documents: Texts) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return the tokens of all documents in a row, and the positions of all words of each."""
    return np.concatenate([np.empty(0, np.int64), *documents]), [np.arange(len(document)) for document in documents]


def _by_document(values: NDArray[Scalar], positions: Sequence[NDArray[np.int64]]) -> list[NDArray[Scalar]]:
    """Return values as one array a document, which has as many as positions."""
    return np.split(values, np.cumsum([len(queried) for queried in positions])[:-1])[: len(positions)]
