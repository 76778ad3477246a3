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

_OF_AN_OWNER = 64
"""Most documents of an owner in a step; of more, random ones."""


@dataclass(frozen=True)
class PrivateSteps(Steps):
    """The steps of private training; each draws each example independently, so ``batch`` is their expected number.

    Where owners are protected, a step draws owners, and clips the mean gradient of an owner's documents (McMahan et al.
    2018, Algorithm 1, with one step of each user).

    Attributes:
        norm: Clipping norm of the gradient of an example, or of an owner.
        noise: Standard deviation of the noise per step, in clipping norms.
        owners: Numbers of the examples of each owner; empty where single examples are protected.
    """

    norm: float
    noise: float
    owners: Sequence[Rows] = ()

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

        A step draws each example, or each owner, independently. One that draws none yields no row, and adds its noise
        all the same.

        Args:
            optimiser: As `optimiser` returns it.
            examples: How many there are.
            parts_of: Divides the rows of a step into those whose gradients are in memory at a time, such as `at_most`.
                An owner's documents are divided alike.
            rng: Source of the draws.
        """
        protected = len(self.owners) or examples
        for step in range(steps_per_epoch(protected, self.batch)):
            rows = np.flatnonzero(rng.random(protected) < self.batch / protected)
            parts = ([_some(self.owners[row], rng) for row in rows.tolist()] if self.owners else parts_of(rows)) or [
                rows
            ]
            for number, part in enumerate(parts):
                optimiser.signal_skip_step(number + 1 < len(parts))
                if self.owners:
                    yield from _averaged(optimiser, parts_of(part) or [part])
                else:
                    optimiser.zero_grad(set_to_none=True)
                    yield part
                optimiser.step()
            tell(step + 1)


def at_most(count: int) -> Callable[[Rows], Sequence[Rows]]:
    """Return what divides rows into parts of about equal size, of at most ``count`` rows each."""
    return lambda rows: np.array_split(rows, max(-(-len(rows) // count), 1))


def _averaged(optimiser: DPOptimizer, parts: Sequence[Rows]) -> Iterator[Rows]:
    """Yield parts of an owner's rows to compute gradients of, and leave the mean over all of them as one gradient."""
    sums: list[torch.Tensor] = []
    for part in parts:
        optimiser.zero_grad(set_to_none=True)
        yield part
        gradients = [parameter.grad_sample.sum(dim=0) for parameter in optimiser.params]
        sums = [before + gradient for before, gradient in zip(sums, gradients, strict=True)] if sums else gradients
    rows = max(sum(map(len, parts)), 1)
    for parameter, total in zip(optimiser.params, sums, strict=True):
        parameter.grad_sample = total[None] / rows


def _some(rows: Rows, rng: np.random.Generator) -> Rows:
    """Return all rows, or random ones of too many."""
    return rows if len(rows) <= _OF_AN_OWNER else np.sort(rng.choice(rows, _OF_AN_OWNER, replace=False))


def state_after(network: nn.Module, before: Arrays, optimiser: DPOptimizer) -> dict[str, NDArray[Any]]:
    """Return the state after an epoch, without Opacus's own names of weights."""
    usual = {name: weight for name, weight in weights(network).items() if name in before}
    return {**usual, **moments(network, optimiser.original_optimizer)}
