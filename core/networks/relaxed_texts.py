"""Search for texts with given embeddings, over mixtures of word vectors that are gradually sharpened."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.networks.states import descend

Embed = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Vectors (texts, positions, d) and lengths (texts,) in; embeddings (texts, dimension) out, differentiable."""


@dataclass(frozen=True)
class Schedule:
    """Annealing of a mixture; the field names enter keys.

    Attributes:
        steps: Steps of the optimisation.
        hot: Temperature at the first step.
        cold: Temperature at the last step; it falls by the same factor at each step.
        learning_rate: Adam's step size.
        recorded: Number of recordings, the last step included.
    """

    steps: int
    hot: float
    cold: float
    learning_rate: float
    recorded: int

    def temperature(self, step: int) -> float:
        """Return the temperature at a step, from 0."""
        return float(self.hot * (self.cold / self.hot) ** (step / max(self.steps - 1, 1)))

    @property
    def marks(self) -> NDArray[np.int64]:
        """Steps, from 0, at which the state is recorded."""
        return np.unique(np.linspace(0, self.steps - 1, self.recorded).round().astype(np.int64))


@dataclass(frozen=True)
class Settled:
    """Results of a search.

    Attributes:
        shares: (texts, words) largest share of each word at any position of a text.
        mixed: (recorded, texts) squared distance of the mixture's embedding to the target.
        spelt: (recorded, texts) the same with the likeliest word at each position.
    """

    shares: NDArray[np.float32]
    mixed: NDArray[np.float32]
    spelt: NDArray[np.float32]


def settle(
    embed: Embed,
    vectors: NDArray[np.float32],
    targets: NDArray[np.float32],
    lengths: NDArray[np.int64],
    start: NDArray[np.float32],
    schedule: Schedule,
) -> Settled:
    """Minimise the squared distance of embeddings to targets over mixtures of words, with one thread.

    Adam treats each number separately, so texts do not affect each other.

    Args:
        embed: The encoder.
        vectors: (words, d) word vectors.
        targets: (texts, dimension) embeddings to reach.
        lengths: (texts,) positions of each text, at least one.
        start: (texts, positions, words) initial logits.
        schedule: Annealing of the mixture.
    """
    torch.set_num_threads(1)
    # Copies, because arrays shared by processes are read-only.
    words, goal, sizes = torch.tensor(vectors), torch.tensor(targets), torch.tensor(lengths)
    logits = torch.tensor(start, requires_grad=True)
    optimiser = torch.optim.Adam([logits], lr=schedule.learning_rate, fused=True)
    mixed, spelt, marks = [], [], set(schedule.marks.tolist())
    for step in range(schedule.steps):
        shares = torch.softmax(logits / schedule.temperature(step), dim=-1)  # (texts, positions, words)
        distances = (embed(shares @ words, sizes) - goal).square().sum(1)
        if step in marks:
            mixed.append(distances.detach().numpy())
            with torch.no_grad():
                spelt.append((embed(words[logits.argmax(dim=-1)], sizes) - goal).square().sum(1).numpy())
        descend(optimiser, distances.sum())
    with torch.no_grad():
        shares = torch.softmax(logits / schedule.cold, dim=-1)
        beyond = torch.arange(shares.shape[1]) >= sizes[:, None]
        largest = shares.masked_fill(beyond[..., None], 0).amax(dim=1).numpy()
    return Settled(largest, np.stack(mixed), np.stack(spelt))
