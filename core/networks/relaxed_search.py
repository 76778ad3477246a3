"""Search for the words that minimise a network's loss, over mixtures of word vectors that are gradually sharpened."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from core.networks.states import descend

Losses = Callable[[torch.Tensor, Sequence[str], Sequence[Sequence[str]]], torch.Tensor]
"""Inputs (puzzles, runs, time, d), intents and tags by puzzle in; losses (puzzles, runs) out, differentiable."""

_BLOCK = 4096
_SWEEPS = 20
_FREE_RATE = 0.05


@dataclass(frozen=True)
class Puzzles:
    """Requests with known first words and the same number of unknown last words.

    Attributes:
        known: (puzzles, words, d) vectors of the known words.
        candidates: (puzzles, candidates, d) vectors of the candidates for each unknown word.
        counts: (puzzles,) number of candidates; later rows are empty.
        unknown: Number of unknown words.
        intents: The intent of each request.
        tags: The slot tags of each request.
        losses: The network.
    """

    known: torch.Tensor
    candidates: torch.Tensor
    counts: NDArray[np.int64]
    unknown: int
    intents: tuple[str, ...]
    tags: tuple[tuple[str, ...], ...]
    losses: Losses

    def only(self, number: int) -> "Puzzles":
        """Return a single puzzle, without the empty rows."""
        row = slice(number, number + 1)
        return replace(
            self,
            known=self.known[row],
            candidates=self.candidates[row, : self.counts[number]],
            counts=self.counts[row],
            intents=self.intents[row],
            tags=self.tags[row],
        )

    def vectors_loss(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the losses, (puzzles, runs), for vectors in place of unknown words, (puzzles, runs, unknown, d)."""
        known = self.known[:, None].expand(-1, vectors.shape[1], -1, -1)
        return self.losses(torch.cat([known, vectors], dim=2), self.intents, self.tags)

    @torch.inference_mode()
    def words_loss(self, words: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the losses, (puzzles, runs), of words given by their numbers, (puzzles, runs, unknown)."""
        losses = []
        for start in range(0, words.shape[1], _BLOCK):
            tokens = torch.from_numpy(words[:, start : start + _BLOCK])
            rows = torch.arange(len(tokens))[:, None, None]
            losses.append(self.vectors_loss(self.candidates[rows, tokens]).numpy())
        return np.concatenate(losses, axis=1)

    @property
    def absent(self) -> torch.Tensor:
        """Mask of the empty rows of the candidates, (puzzles, 1, 1, candidates)."""
        rows = torch.arange(self.candidates.shape[1])
        return (rows >= torch.from_numpy(self.counts)[:, None])[:, None, None]


@dataclass(frozen=True)
class Schedule:
    """Annealing of a mixture.

    Attributes:
        hot: Temperature at the first step.
        cooling: Factor of the temperature after each step.
        learning_rate: Adam's step size at the first step.
        decay: Factor of the step size after each step.
        spread: Standard deviation of the initial logits.
    """

    hot: float
    cooling: float
    learning_rate: float
    decay: float
    spread: float


@dataclass(frozen=True)
class Settled:
    """Results of runs of a search.

    Attributes:
        words: (puzzles, runs, unknown) number of the likeliest candidate for each unknown word.
        losses: (puzzles, runs) losses of these words.
        steps: (recorded,) numbers of steps after which mixtures were recorded.
        mixtures: (recorded, puzzles, runs, unknown, candidates) recorded mixtures.
    """

    words: NDArray[np.int64]
    losses: NDArray[np.float32]
    steps: NDArray[np.int64]
    mixtures: NDArray[np.float16]

    def best(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the run with the smallest loss of each puzzle, (puzzles,), and its words, (puzzles, unknown)."""
        runs = self.losses.argmin(axis=1)
        return runs, self.words[np.arange(len(runs)), runs]


@dataclass(frozen=True)
class Restarts:
    """Random restarts of a search.

    Attributes:
        logits: For each schedule, (puzzles, runs, unknown, candidates) initial logits.
        vectors: (puzzles, runs, unknown, d) initial vectors of the runs without a mixture.
    """

    logits: tuple[NDArray[np.float32], ...]
    vectors: NDArray[np.float32]

    @classmethod
    def draw(cls, puzzles: Puzzles, schedules: Sequence[Schedule], runs: int, rng: np.random.Generator) -> "Restarts":
        """Draw restarts for each puzzle and schedule; vectors have the spread of the candidates."""
        count, candidates, dimension = puzzles.candidates.shape
        logits = tuple(
            rng.normal(0, schedule.spread, (count, runs, puzzles.unknown, candidates)).astype(np.float32)
            for schedule in schedules
        )
        spreads = [float(rows[:filled].std()) for rows, filled in zip(puzzles.candidates, puzzles.counts, strict=True)]
        vectors = np.stack([rng.normal(0, spread, (runs, puzzles.unknown, dimension)) for spread in spreads])
        return cls(logits, vectors.astype(np.float32))


def settle(
    puzzles: Puzzles, schedules: Sequence[Schedule], restarts: Restarts, *, steps: int, every: int
) -> tuple[list[Settled], NDArray[np.int64]]:
    """Minimise the losses over mixtures of candidates, for all puzzles, schedules and runs in one optimisation.

    The same number of runs optimises unconstrained vectors. Adam treats each number separately, so runs do not affect
    each other.

    Args:
        puzzles: The puzzles.
        schedules: Annealing of the mixtures.
        restarts: Initial values.
        steps: Steps of the optimisation.
        every: Steps between recordings.

    Returns:
        The results of each schedule; and the words nearest to the unconstrained vectors, (puzzles, runs, unknown).
    """
    logits = [torch.from_numpy(array.copy()).requires_grad_() for array in restarts.logits]
    free = torch.from_numpy(restarts.vectors.copy()).requires_grad_()
    groups = [
        {"params": [tensor], "lr": schedule.learning_rate} for tensor, schedule in zip(logits, schedules, strict=True)
    ]
    groups.append({"params": [free], "lr": _FREE_RATE})
    optimiser = torch.optim.Adam(groups)
    recorded: list[list[NDArray[np.float16]]] = [[] for _ in schedules]
    for step in range(steps + 1):
        mixtures = [
            torch.softmax(
                (tensor / (schedule.hot * schedule.cooling**step)).masked_fill(puzzles.absent, -torch.inf), -1
            )
            for tensor, schedule in zip(logits, schedules, strict=True)
        ]
        if step % every == 0 or step == steps:
            for record, mixture in zip(recorded, mixtures, strict=True):
                record.append(mixture.detach().numpy().astype(np.float16))
        if step == steps:
            break
        vectors = [torch.einsum("prnv,pvd->prnd", mixture, puzzles.candidates) for mixture in mixtures]
        for group, schedule in zip(optimiser.param_groups, schedules, strict=False):
            group["lr"] = schedule.learning_rate * schedule.decay**step
        descend(optimiser, puzzles.vectors_loss(torch.cat([*vectors, free], dim=1)).sum())
    recorded_steps = np.unique([*range(0, steps + 1, every), steps])
    results = []
    for tensor, record in zip(logits, recorded, strict=True):
        words = tensor.detach().masked_fill(puzzles.absent, -torch.inf).argmax(dim=-1).numpy()
        results.append(Settled(words, puzzles.words_loss(words), recorded_steps, np.stack(record)))
    return results, _nearest(puzzles, free.detach())


def coordinate_descent(puzzles: Puzzles, words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return words, (puzzles, runs, unknown), after replacing one at a time by the best one until none changes."""
    words = words.copy()
    count, runs, _ = words.shape
    most = puzzles.candidates.shape[1]
    for _ in range(_SWEEPS):
        before = words.copy()
        for position in range(puzzles.unknown):
            trials = np.repeat(words[:, :, None], most, axis=2)  # (puzzles, runs, candidates, unknown)
            trials[..., position] = np.minimum(np.arange(most), puzzles.counts[:, None, None] - 1)
            losses = puzzles.words_loss(trials.reshape(count, runs * most, puzzles.unknown))
            words[:, :, position] = np.take_along_axis(
                trials[..., position], losses.reshape(count, runs, most).argmin(axis=2)[..., None], axis=2
            )[..., 0]
        if np.array_equal(words, before):
            break
    return words


def _nearest(puzzles: Puzzles, vectors: torch.Tensor) -> NDArray[np.int64]:
    """Return the candidate nearest to each vector, (puzzles, runs, unknown)."""
    nearest = [
        torch.cdist(rows.flatten(0, 1), candidates[:count]).argmin(dim=1).reshape(rows.shape[:2]).numpy()
        for rows, candidates, count in zip(vectors, puzzles.candidates, puzzles.counts, strict=True)
    ]
    return np.stack(nearest)
