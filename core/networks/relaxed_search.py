"""Searches for the words that make a network's loss smallest, by mixing their vectors until the mixture settles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

Losses = Callable[[torch.Tensor, Sequence[str], Sequence[Sequence[str]]], torch.Tensor]
"""Inputs (puzzles, runs, time, d), and intent and tags by puzzle in; the loss of each (puzzles, runs) out, with a
gradient for the inputs."""

_BLOCK = 4096
_SWEEPS = 20
_FREE_RATE = 0.05


@dataclass(frozen=True)
class Puzzles:
    """Requests of which the first words are known, and as many of the last ones are not.

    Attributes:
        known: (puzzles, words, d) what describes the known words.
        candidates: (puzzles, candidates, d) what describes each word that an unknown one may be.
        counts: (puzzles,) how many candidates there are; rows beyond are empty.
        unknown: Number of unknown words.
        intents: The intent of each.
        tags: The slot tags of each.
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
        """Return one of them, without the empty rows."""
        place = slice(number, number + 1)
        candidates = self.candidates[place, : self.counts[number]]
        return Puzzles(
            self.known[place],
            candidates,
            self.counts[place],
            self.unknown,
            self.intents[place],
            self.tags[place],
            self.losses,
        )

    def vectors_loss(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the losses, (puzzles, runs), when vectors stand for the unknown words, (puzzles, runs, unknown, d)."""
        known = self.known[:, None].expand(-1, vectors.shape[1], -1, -1)
        return self.losses(torch.cat([known, vectors], dim=2), self.intents, self.tags)

    @torch.inference_mode()
    def words_loss(self, words: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the losses, (puzzles, runs), of words given by their numbers, (puzzles, runs, unknown)."""
        found = []
        for at in range(0, words.shape[1], _BLOCK):
            tokens = torch.from_numpy(words[:, at : at + _BLOCK])
            rows = torch.arange(len(tokens))[:, None, None]
            found.append(self.vectors_loss(self.candidates[rows, tokens]).numpy())
        return np.concatenate(found, axis=1)

    @property
    def absent(self) -> torch.Tensor:
        """Tell which rows of the candidates are empty, (puzzles, 1, 1, candidates)."""
        places = torch.arange(self.candidates.shape[1])
        return (places >= torch.from_numpy(self.counts)[:, None])[:, None, None]


@dataclass(frozen=True)
class Schedule:
    """How a mixture settles.

    Attributes:
        hot: Temperature at the first step.
        cooling: What it is multiplied with after each.
        learning_rate: Adam's step size at the first step.
        decay: What that is multiplied with after each.
        spread: Standard deviation of the logits at the start.
    """

    hot: float
    cooling: float
    learning_rate: float
    decay: float
    spread: float


@dataclass(frozen=True)
class Settled:
    """Where runs of a search ended.

    Attributes:
        words: (puzzles, runs, unknown) the number of the likeliest candidate in each place.
        losses: (puzzles, runs) with those words.
        steps: (recorded,) after how many steps the mixture was recorded.
        mixtures: (recorded, puzzles, runs, unknown, candidates) the mixture then.
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
    """Where runs of a search begin.

    Attributes:
        logits: For each schedule, (puzzles, runs, unknown, candidates).
        vectors: (puzzles, runs, unknown, d) for the runs that optimise vectors as such.
    """

    logits: tuple[NDArray[np.float32], ...]
    vectors: NDArray[np.float32]

    @classmethod
    def draw(cls, puzzles: Puzzles, schedules: Sequence[Schedule], runs: int, rng: np.random.Generator) -> "Restarts":
        """Draw so many for each puzzle and schedule; the vectors are as long as those of the candidates."""
        several, candidates, dimension = puzzles.candidates.shape
        logits = tuple(
            rng.normal(0, schedule.spread, (several, runs, puzzles.unknown, candidates)).astype(np.float32)
            for schedule in schedules
        )
        described = zip(puzzles.candidates, puzzles.counts, strict=True)
        spread = [float(own[:count].std()) for own, count in described]
        vectors = np.stack([rng.normal(0, width, (runs, puzzles.unknown, dimension)) for width in spread])
        return cls(logits, vectors.astype(np.float32))


def settle(
    puzzles: Puzzles, schedules: Sequence[Schedule], beginnings: Restarts, *, steps: int, every: int
) -> tuple[list[Settled], NDArray[np.int64]]:
    """Minimise the losses over mixtures of candidates, all puzzles, schedules and runs in one optimisation.

    As many runs again optimise vectors that need not be mixtures of anything. Adam treats each number on its own, so
    each run goes as it would go alone.

    Args:
        puzzles: What is unknown.
        schedules: How mixtures settle.
        beginnings: Where.
        steps: How often each mixture is improved.
        every: Steps between recordings.

    Returns:
        Where each schedule ended; and the words nearest to the unconstrained vectors, (puzzles, runs, unknown).
    """
    logits = [torch.from_numpy(one.copy()).requires_grad_() for one in beginnings.logits]
    free = torch.from_numpy(beginnings.vectors.copy()).requires_grad_()
    groups = [{"params": [one], "lr": schedule.learning_rate} for one, schedule in zip(logits, schedules, strict=True)]
    groups.append({"params": [free], "lr": _FREE_RATE})
    optimiser = torch.optim.Adam(groups)
    recorded: list[list[NDArray[np.float16]]] = [[] for _ in schedules]
    for step in range(steps + 1):
        mixtures = [
            torch.softmax((one / (schedule.hot * schedule.cooling**step)).masked_fill(puzzles.absent, -torch.inf), -1)
            for one, schedule in zip(logits, schedules, strict=True)
        ]
        if step % every == 0 or step == steps:
            for kept, mixture in zip(recorded, mixtures, strict=True):
                kept.append(mixture.detach().numpy().astype(np.float16))
        if step == steps:
            break
        vectors = [torch.einsum("prnv,pvd->prnd", mixture, puzzles.candidates) for mixture in mixtures]
        optimiser.zero_grad(set_to_none=True)
        puzzles.vectors_loss(torch.cat([*vectors, free], dim=1)).sum().backward()
        for group, schedule in zip(optimiser.param_groups, schedules, strict=False):
            group["lr"] = schedule.learning_rate * schedule.decay**step
        optimiser.step()
    at = np.unique([*range(0, steps + 1, every), steps])
    found = []
    for one, kept in zip(logits, recorded, strict=True):
        words = one.detach().masked_fill(puzzles.absent, -torch.inf).argmax(dim=-1).numpy()
        found.append(Settled(words, puzzles.words_loss(words), at, np.stack(kept)))
    return found, _nearest(puzzles, free.detach())


def coordinate_descent(puzzles: Puzzles, words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return words after each was replaced, one place at a time, by the one with the smallest loss, until none changes.

    Args:
        puzzles: What is unknown.
        words: (puzzles, runs, unknown) where to begin.
    """
    words = words.copy()
    several, runs, _ = words.shape
    most = puzzles.candidates.shape[1]
    for _ in range(_SWEEPS):
        before = words.copy()
        for place in range(puzzles.unknown):
            trials = np.repeat(words[:, :, None], most, axis=2)  # (puzzles, runs, candidates, unknown)
            trials[..., place] = np.minimum(np.arange(most), puzzles.counts[:, None, None] - 1)
            losses = puzzles.words_loss(trials.reshape(several, runs * most, puzzles.unknown))
            words[:, :, place] = np.take_along_axis(
                trials[..., place], losses.reshape(several, runs, most).argmin(axis=2)[..., None], axis=2
            )[..., 0]
        if np.array_equal(words, before):
            break
    return words


def _nearest(puzzles: Puzzles, vectors: torch.Tensor) -> NDArray[np.int64]:
    """Return the candidate nearest to each vector, (puzzles, runs, unknown)."""
    found = [
        torch.cdist(own.flatten(0, 1), candidates[:count]).argmin(dim=1).reshape(own.shape[:2]).numpy()
        for own, candidates, count in zip(vectors, puzzles.candidates, puzzles.counts, strict=True)
    ]
    return np.stack(found)
