"""A trained target model: its access and its utility."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.access import Access
from core.result import Estimate
from core.statistics.intervals import Interval, mean_over_models
from core.statistics.wording.units import Scale, scale


@dataclass(frozen=True)
class Epoch:
    """Losses after an epoch of training.

    Attributes:
        number: Epochs so far.
        loss: Mean training loss per token in this epoch, in nats.
        perplexity: On the validation pairs after it, without label smoothing.
    """

    number: int
    loss: float
    perplexity: float


@dataclass(frozen=True)
class Utility:
    """How well a target model serves its purpose.

    Attributes:
        value: The measurement.
        unit: Unit of the value.
        help: One sentence for the page.
        chance: Value of a model without skill, if known.
        interval: 95% interval over the test cases of this one model, if measured.
        decisions: Test cases behind the value, if counted.
    """

    value: float
    unit: str
    help: str
    chance: float | None = None
    interval: tuple[float, float] | None = None
    decisions: int = 0


@dataclass(frozen=True)
class TrainedTarget:
    """A trained target model.

    Attributes:
        access: What the adversary may query.
        utilities: Measurements of its utility by name.
        snapshots: By number of epochs, access to the model after that epoch (0: before training); may be empty.
        epochs: Losses after each epoch, if recorded.
    """

    access: Access
    utilities: Mapping[str, Utility] = field(default_factory=dict)
    snapshots: Mapping[int, Access] = field(default_factory=dict)
    epochs: tuple[Epoch, ...] = ()


def utility_estimates(targets: Sequence[TrainedTarget]) -> dict[str, Estimate]:
    """Return the mean utilities of target models, with Student's intervals over the models.

    A single model keeps the interval over its own test cases, or has one of width zero if none was measured.
    """
    estimates = {}
    single = len(targets) == 1
    for name, first in targets[0].utilities.items():
        values = np.array([target.utilities[name].value for target in targets])
        if single:
            mean = Interval(first.value, *(first.interval or (first.value, first.value)))
        else:
            mean = mean_over_models(values, share=scale(first.unit) is Scale.SHARE)
        estimates[name] = Estimate(
            **mean._asdict(),
            chance=first.chance,
            unit=first.unit,
            decisions=first.decisions if single else 0,
            help=first.help,
        )
    return estimates
