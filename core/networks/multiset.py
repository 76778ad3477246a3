"""A recurrent network that predicts the words of a set one by one, given those predicted before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import dropout, linear

from core.networks import states
from core.networks.states import Arrays

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Linear = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights (words, inputs) and biases (words,) of scores to which the network adds its output."""

_BLOCK = 512
_PREDICTED = -1e9
"""Score of a word that was predicted before; finite, because 0 times infinity is not a number."""


@dataclass(frozen=True)
class Training:
    """How a policy is trained.

    Attributes:
        epochs: Epochs over the examples.
        batch: Examples in a batch.
        learning_rate: Adam's step size at the start; falls to zero along a half cosine.
        dropped: Dropout of the recurrent units.
        longest: Most words of a set that are predicted.
    """

    epochs: int
    batch: int
    learning_rate: float
    dropped: float
    longest: int


class _Policy(nn.Module):
    """Scores every word, given an input and the words predicted so far."""

    def __init__(self, inputs: int, hidden: int, words: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.words = nn.Embedding(words, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.last = nn.Linear(hidden, words)
        self.trust = nn.Parameter(torch.ones(()))

    def begin(self, inputs: torch.Tensor, linear_scores: Linear) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the first state, (rows, hidden), and the scores common to all steps, (rows, words)."""
        weight, bias = map(torch.from_numpy, linear_scores)
        return torch.tanh(self.first(inputs)), self.trust * linear(inputs, weight, bias) + self.last.bias

    def scores(self, state: torch.Tensor, fixed: torch.Tensor, predicted: torch.Tensor) -> torch.Tensor:
        """Return the score of each word, (rows, words), given the predicted ones, (rows, steps)."""
        return torch.addmm(fixed, state, self.last.weight.T).scatter(1, predicted, _PREDICTED)

    def after(self, state: torch.Tensor, word: torch.Tensor) -> torch.Tensor:
        """Return the state after each row has predicted a word, (rows,)."""
        following: torch.Tensor = self.cell(self.words(word), state)
        return following


def initial(inputs: int, words: int, hidden: int, seed: int) -> dict[str, NDArray[Any]]:
    """Return an untrained policy, which has the linear scores."""
    torch.manual_seed(seed)
    network = _Policy(inputs, hidden, words)
    with torch.no_grad():
        nn.init.zeros_(network.last.weight)
        nn.init.zeros_(network.last.bias)
    return states.weights(network)


def train_epoch(
    before: Arrays,
    inputs: NDArray[np.float32],
    sets: "csr_array",
    linear_scores: Sequence[Linear],
    training: Training,
    number: int,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Return the state after one epoch, with one thread.

    Each step predicts the likeliest word and removes it from the set if it is there. The loss of a step is the mean
    cross-entropy of the remaining words. It is summed over as many steps as the set has words, and averaged over the
    examples (Song and Raghunathan 2020, Algorithm 2).

    Args:
        before: State from `initial` or the previous epoch.
        inputs: (examples, inputs).
        sets: (examples, words) of 0 and 1; empty sets are ignored.
        linear_scores: Row ``r`` is given those at index ``r`` modulo their number.
        training: How to train.
        number: Number of the epoch, from 0.
        rng: Draws the order of the examples, and the dropout.
    """
    states.begin(rng)
    network = _restored(before)
    optimiser = states.adam(network, before, training.learning_rate)
    sizes = np.diff(sets.indptr)
    batches = list(_batches(sizes, len(linear_scores), training.batch, rng))
    total = 0.0
    for step, index in enumerate(rng.permutation(len(batches))):
        done = (number + step / len(batches)) / training.epochs
        optimiser.param_groups[0]["lr"] = training.learning_rate * (1 + cos(pi * done)) / 2
        part, rows = batches[index]
        loss = _loss(network, torch.from_numpy(inputs[rows]), sets[rows], linear_scores[part], training)
        states.descend(optimiser, loss / len(rows))
        total += loss.item()
    examples = max(int((sizes > 0).sum()), 1)
    return {**states.weights(network), **states.moments(network, optimiser), "loss": np.array(total / examples)}


def predict(
    state: Mapping[str, NDArray[Any]], inputs: NDArray[np.float32], linear_scores: Linear, longest: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the words predicted one by one, and the probability of each at its step, both (examples, steps)."""
    torch.set_num_threads(1)
    network = _restored(state)
    steps = min(longest, network.last.out_features)
    words, probabilities = np.empty((len(inputs), steps), np.int64), np.empty((len(inputs), steps), np.float32)
    with torch.inference_mode():
        for start in range(0, len(inputs), _BLOCK):
            block = slice(start, start + _BLOCK)
            hidden, fixed = network.begin(torch.from_numpy(inputs[block]), linear_scores)
            predicted = torch.empty((len(hidden), 0), dtype=torch.int64)
            for step in range(steps):
                scores = network.scores(hidden, fixed, predicted)
                best, word = scores.max(dim=1)
                probabilities[block, step] = (best - scores.logsumexp(dim=1)).exp().numpy()
                predicted = torch.cat([predicted, word[:, None]], dim=1)
                hidden = network.after(hidden, word)
            words[block] = predicted.numpy()
    return words, probabilities


def _batches(
    sizes: NDArray[np.integer[Any]], parts: int, batch: int, rng: np.random.Generator
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield batches of rows in random order, each of one part and with the largest sets first."""
    for part in range(parts):
        part_rows = np.arange(part, len(sizes), parts)
        order = rng.permutation(part_rows[sizes[part_rows] > 0])
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            yield part, rows[np.argsort(-sizes[rows], kind="stable")]


def _loss(
    network: _Policy, inputs: torch.Tensor, sets: "csr_array", linear_scores: Linear, training: Training
) -> torch.Tensor:
    """Return the loss summed over examples, which are sorted by size, largest first.

    A row leaves the batch after as many steps as its set has words.
    """
    sizes = np.diff(sets.indptr)
    in_set = torch.from_numpy(np.arange(sizes[0]) < sizes[:, None])
    words = torch.zeros(in_set.shape, dtype=torch.int64)  # (rows, largest size) numbers of words, padded with 0
    words[in_set] = torch.from_numpy(sets.indices.astype(np.int64))
    remaining = in_set.float()  # (rows, largest size) 1 for a word that is not predicted yet
    predicted = torch.empty((len(sizes), 0), dtype=torch.int64)
    state, fixed = network.begin(inputs, linear_scores)
    loss = torch.zeros(())
    for step in range(min(int(sizes[0]), training.longest)):
        rows = int((sizes > step).sum())
        state, fixed, predicted, words, remaining = (
            tensor[:rows] for tensor in (state, fixed, predicted, words, remaining)
        )
        scores = network.scores(dropout(state, training.dropped), fixed, predicted)
        set_scores = (scores.gather(1, words) * remaining).sum(dim=1) / remaining.sum(dim=1)
        loss = loss + (scores.logsumexp(dim=1) - set_scores).sum()
        word = scores.detach().argmax(dim=1, keepdim=True)
        remaining = remaining * (words != word)
        predicted = torch.cat([predicted, word], dim=1)
        state = network.after(state, word[:, 0])
    return loss


def _restored(state: Mapping[str, NDArray[Any]]) -> _Policy:
    hidden, inputs = state["weight.first.weight"].shape
    return states.load(_Policy(inputs, hidden, len(state["weight.last.bias"])), state)
