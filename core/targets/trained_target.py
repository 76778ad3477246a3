"""What a trainer has for its target models, and what it releases of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.access import Access
from core.result import Estimate
from core.runtime.seeding import generator


@dataclass(frozen=True)
class Epoch:
    """How a pass of training ended.

    Attributes:
        number: Passes by then.
        loss: Mean training loss of a token in it, in nats.
        perplexity: On the validation pairs after it, without label smoothing.
    """

    number: int
    loss: float
    perplexity: float


@dataclass(frozen=True)
class Utility:
    """How good a target model is at its own task.

    Attributes:
        value: The measurement.
        unit: What it is counted in.
        help: One sentence for the page.
        chance: What a model without skill would have, where that is known.
        interval: 95 % interval over what was asked of this one model, where that was measured.
        decisions: Answers behind the value, where they were counted.
    """

    value: float
    unit: str
    help: str
    chance: float | None = None
    interval: tuple[float, float] | None = None
    decisions: int = 0


@dataclass(frozen=True)
class TrainedTarget:
    """A target model, as far as it can be touched.

    Attributes:
        access: What the adversary may query.
        qualities: By name, how useful the model is.
        course: By number of passes, access to what it was after so many, 0 before any; empty where that is not kept.
        passes: How each pass of training ended, where that is recorded.
    """

    access: Access
    qualities: Mapping[str, Utility] = field(default_factory=dict)
    course: Mapping[int, Access] = field(default_factory=dict)
    passes: tuple[Epoch, ...] = ()


def utility_estimates(releases: Sequence[TrainedTarget], seed: int) -> dict[str, Estimate]:
    """Return how good models are at their own task: the mean over the models, which are resampled for the interval.

    One model alone has the interval over what was asked of it, where that was measured, and else one without width.
    """
    found = {}
    for name, first in releases[0].qualities.items():
        values = np.array([release.qualities[name].value for release in releases])
        drawn = generator(seed, "usefulness").choice(values, (2000, len(values))).mean(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        if len(releases) == 1 and first.interval is not None:
            low, high = first.interval
        found[name] = Estimate(
            value=float(values.mean()),
            low=float(low),
            high=float(high),
            chance=first.chance,
            unit=first.unit,
            decisions=first.decisions if len(releases) == 1 else 0,
            help=first.help,
        )
    return found
