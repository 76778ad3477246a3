"""A recurrent network that names the words of a set one by one, each knowing those named before."""

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
"""Weights (words, inputs) and biases (words,) of scores to which the network adds its own."""

_BLOCK = 512
_NAMED = -1e9
"""Score of what was named before, which is never named again; finite, so that nothing times it is nothing."""


@dataclass(frozen=True)
class Course:
    """How a policy is trained.

    Attributes:
        epochs: Passes over the examples.
        batch: Examples in a batch.
        learning_rate: Adam's step size at the start; falls to zero along a half cosine.
        dropped: Share of the recurrent units left out at each step of training.
        longest: Most words of a set that are named.
    """

    epochs: int
    batch: int
    learning_rate: float
    dropped: float
    longest: int


class _Policy(nn.Module):
    """Scores every word, given an input and the words named so far."""

    def __init__(self, inputs: int, hidden: int, words: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.words = nn.Embedding(words, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.last = nn.Linear(hidden, words)
        self.trust = nn.Parameter(torch.ones(()))

    def begin(self, inputs: torch.Tensor, known: Linear) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the first state, (rows, hidden), and what every step adds to its scores, (rows, words)."""
        weight, bias = map(torch.from_numpy, known)
        return torch.tanh(self.first(inputs)), self.trust * linear(inputs, weight, bias) + self.last.bias

    def scores(self, state: torch.Tensor, fixed: torch.Tensor, named: torch.Tensor) -> torch.Tensor:
        """Return the score of each word, (rows, words), given those named, (rows, steps)."""
        return torch.addmm(fixed, state, self.last.weight.T).scatter(1, named, _NAMED)

    def after(self, state: torch.Tensor, word: torch.Tensor) -> torch.Tensor:
        """Return the state once each row has named a word, (rows,)."""
        told: torch.Tensor = self.cell(self.words(word), state)
        return told


def initial(inputs: int, words: int, hidden: int, seed: int) -> dict[str, NDArray[Any]]:
    """Return an untrained policy, whose scores are the linear ones."""
    torch.manual_seed(seed)
    network = _Policy(inputs, hidden, words)
    with torch.no_grad():
        nn.init.zeros_(network.last.weight)
        nn.init.zeros_(network.last.bias)
    return states.weights(network)


def train_pass(
    before: Arrays,
    inputs: NDArray[np.float32],
    sets: "csr_array",
    known: Sequence[Linear],
    course: Course,
    number: int,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Return the state after one pass over the examples, with one thread.

    At each step the likeliest word is named and, where it is one of the set, taken out of what is left of that. The
    loss of a step is the mean cross-entropy of the words left; it is added up over as many steps as the set has words,
    and averaged over the examples (Song and Raghunathan 2020, Algorithm 2).

    Args:
        before: The state so far.
        inputs: (examples, inputs).
        sets: (examples, words) of 0 and 1; empty sets teach nothing.
        known: Linear scores; row ``r`` is given those of place ``r`` modulo their number.
        course: How.
        number: Which pass it is, from 0.
        rng: Draws the order of the examples, and the units left out.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(rng.integers(2**31)))
    network = _restored(before)
    optimiser = states.adam(network, before, course.learning_rate)
    sizes = np.diff(sets.indptr)
    batches = list(_batches(sizes, len(known), course.batch, rng))
    total = 0.0
    for step, at in enumerate(rng.permutation(len(batches))):
        done = (number + step / len(batches)) / course.epochs
        optimiser.param_groups[0]["lr"] = course.learning_rate * (1 + cos(pi * done)) / 2
        part, rows = batches[at]
        loss = _loss(network, torch.from_numpy(inputs[rows]), sets[rows], known[part], course)
        optimiser.zero_grad(set_to_none=True)
        (loss / len(rows)).backward()
        optimiser.step()
        total += loss.item()
    taught = max(int((sizes > 0).sum()), 1)
    return {**states.weights(network), **states.moments(network, optimiser), "loss": np.array(total / taught)}


def named(
    state: Mapping[str, NDArray[Any]], inputs: NDArray[np.float32], known: Linear, longest: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Name words one by one; return them, and the probability of each when it was named, both (examples, steps)."""
    torch.set_num_threads(1)
    network = _restored(state)
    steps = min(longest, network.last.out_features)
    words, shares = np.empty((len(inputs), steps), np.int64), np.empty((len(inputs), steps), np.float32)
    with torch.inference_mode():
        for at in range(0, len(inputs), _BLOCK):
            block = torch.from_numpy(inputs[at : at + _BLOCK])
            hidden, fixed = network.begin(block, known)
            so_far = torch.empty((len(block), 0), dtype=torch.int64)
            for step in range(steps):
                scores = network.scores(hidden, fixed, so_far)
                best, word = scores.max(dim=1)
                shares[at : at + _BLOCK, step] = (best - scores.logsumexp(dim=1)).exp().numpy()
                so_far = torch.cat([so_far, word[:, None]], dim=1)
                hidden = network.after(hidden, word)
            words[at : at + _BLOCK] = so_far.numpy()
    return words, shares


def _batches(
    sizes: NDArray[np.integer[Any]], parts: int, batch: int, rng: np.random.Generator
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield batches of rows in random order, each of one part and with the largest sets first."""
    for part in range(parts):
        own = np.arange(part, len(sizes), parts)
        order = rng.permutation(own[sizes[own] > 0])
        for at in range(0, len(order), batch):
            rows = order[at : at + batch]
            yield part, rows[np.argsort(-sizes[rows], kind="stable")]


def _loss(network: _Policy, inputs: torch.Tensor, sets: "csr_array", known: Linear, course: Course) -> torch.Tensor:
    """Return the loss added up over examples, of which the largest sets come first.

    A row falls away from the end once it has taken as many steps as its set has words.
    """
    sizes = np.diff(sets.indptr)
    there = torch.from_numpy(np.arange(sizes[0]) < sizes[:, None])
    words = torch.zeros(there.shape, dtype=torch.int64)  # (rows, places) numbers of words, 0 where there is none
    words[there] = torch.from_numpy(sets.indices.astype(np.int64))
    left = there.float()  # (rows, places) 1 where a word is not named yet
    named = torch.empty((len(sizes), 0), dtype=torch.int64)
    state, fixed = network.begin(inputs, known)
    loss = torch.zeros(())
    for step in range(min(int(sizes[0]), course.longest)):
        rows = int((sizes > step).sum())
        state, fixed, named, words, left = (tensor[:rows] for tensor in (state, fixed, named, words, left))
        scores = network.scores(dropout(state, course.dropped), fixed, named)
        right = (scores.gather(1, words) * left).sum(dim=1) / left.sum(dim=1)
        loss = loss + (scores.logsumexp(dim=1) - right).sum()
        word = scores.detach().argmax(dim=1, keepdim=True)
        left = left * (words != word)
        named = torch.cat([named, word], dim=1)
        state = network.after(state, word[:, 0])
    return loss


def _restored(state: Mapping[str, NDArray[Any]]) -> _Policy:
    hidden, inputs = state["weight.first.weight"].shape
    network = _Policy(inputs, hidden, len(state["weight.last.bias"]))
    states.load(network, state)
    return network
