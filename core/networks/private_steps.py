"""The steps of differentially private training (DP-SGD), whatever the network."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from opacus.optimizers import DPOptimizer
from torch import nn

from core.networks.states import Arrays, Steps, adam, moments, weights
from core.runtime.steps import tell
from core.statistics.privacy import steps_per_epoch

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class PrivateSteps(Steps):
    """The steps of private training; each draws each example independently, so ``batch`` is their expected number.

    Attributes:
        norm: Clipping norm of an example's gradient.
        noise: Standard deviation of the noise per step, in clipping norms.
    """

    norm: float
    noise: float

    def optimiser(
        self, network: nn.Module, state: Arrays, rng: np.random.Generator, device: str = "cpu"
    ) -> DPOptimizer:
        """Return an optimiser that clips and adds noise, and continues from a state."""
        return DPOptimizer(
            adam(network, state, self.learning_rate),
            noise_multiplier=self.noise,
            max_grad_norm=self.norm,
            expected_batch_size=self.batch,
            loss_reduction="sum",
            generator=torch.Generator(device).manual_seed(int(rng.integers(2**31))),
        )

    def drawn(
        self,
        optimiser: DPOptimizer,
        examples: int,
        parts_of: Callable[[Rows], Sequence[Rows]],
        rng: np.random.Generator,
    ) -> Iterator[Rows]:
        """Take the steps of an epoch; yield the rows of a step, or of a part of it, to compute gradients of.

        A step draws each example independently. One that draws none yields no row, and adds its noise all the same.

        Args:
            optimiser: As `optimiser` returns it.
            examples: How many there are.
            parts_of: Divides the rows of a step into those whose gradients are in memory at a time, such as `at_most`.
            rng: Source of the draws.
        """
        for step in range(steps_per_epoch(examples, self.batch)):
            rows = np.flatnonzero(rng.random(examples) < self.batch / examples)
            parts = parts_of(rows) or [rows]
            for number, part in enumerate(parts):
                optimiser.signal_skip_step(number + 1 < len(parts))
                optimiser.zero_grad(set_to_none=True)
                yield part
                optimiser.step()
            tell(step + 1)


def at_most(count: int) -> Callable[[Rows], Sequence[Rows]]:
    """Return what divides rows into parts of about equal size, of at most ``count`` rows each."""
    return lambda rows: np.array_split(rows, max(-(-len(rows) // count), 1))


def state_after(network: nn.Module, before: Arrays, optimiser: DPOptimizer) -> dict[str, NDArray[Any]]:
    """Return the state after an epoch, without Opacus's own names of weights."""
    usual = {name: weight for name, weight in weights(network).items() if name in before}
    return {**usual, **moments(network, optimiser.original_optimizer)}
