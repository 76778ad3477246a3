"""Searches for texts with given embeddings, by mixing the vectors of words in each place until the mixture settles."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

Embed = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Vectors (texts, places, d) and lengths (texts,) in; embeddings (texts, dimension) out, with a gradient."""


@dataclass(frozen=True)
class Schedule:
    """How a mixture settles.

    Attributes:
        steps: How often it is improved.
        hot: Temperature at the first step.
        cold: Temperature at the last one; in between it falls by the same factor at each step.
        learning_rate: Adam's step size.
        recorded: How many times the state is recorded, the last step included.
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
        """Return the steps, from 0, at which the state is recorded."""
        return np.unique(np.linspace(0, self.steps - 1, self.recorded).round().astype(np.int64))


@dataclass(frozen=True)
class Settled:
    """Where a search ended.

    Attributes:
        shares: (texts, words) largest share of each word in any place of a text.
        mixed: (recorded, texts) squared distance of the mixture's embedding to the target.
        spelt: (recorded, texts) the same with the likeliest word alone in each place.
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
    course: Schedule,
) -> Settled:
    """Minimise the squared distance of embeddings to targets over mixtures of words, with one thread.

    Adam treats each number on its own, so each text goes as it would go alone.

    Args:
        embed: The encoder.
        vectors: (words, d) what may be mixed.
        targets: (texts, dimension).
        lengths: (texts,) places of each text, at least one.
        start: (texts, places, words) logits to begin with.
        course: How.
    """
    torch.set_num_threads(1)
    # Copies, because what several processes share cannot be written.
    words, wanted, read = torch.tensor(vectors), torch.tensor(targets), torch.tensor(lengths)
    logits = torch.tensor(start, requires_grad=True)
    optimiser = torch.optim.Adam([logits], lr=course.learning_rate, fused=True)
    mixed, spelt, marks = [], [], set(course.marks.tolist())
    for step in range(course.steps):
        shares = torch.softmax(logits / course.temperature(step), dim=-1)  # (texts, places, words)
        distances = (embed(shares @ words, read) - wanted).square().sum(1)
        if step in marks:
            mixed.append(distances.detach().numpy())
            with torch.no_grad():
                spelt.append((embed(words[logits.argmax(dim=-1)], read) - wanted).square().sum(1).numpy())
        optimiser.zero_grad(set_to_none=True)
        distances.sum().backward()
        optimiser.step()
    with torch.no_grad():
        shares = torch.softmax(logits / course.cold, dim=-1)
        beyond = torch.arange(shares.shape[1]) >= read[:, None]
        largest = shares.masked_fill(beyond[..., None], 0).amax(dim=1).numpy()
    return Settled(largest, np.stack(mixed), np.stack(spelt))
