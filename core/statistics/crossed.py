"""95 % intervals of figures of decisions by models about targets, where decisions share a model or a target."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import Interval, on_log_odds

Values = NDArray[np.float64]


class Without(NamedTuple):
    """A figure without each unit in turn, NaN where too few are left.

    Attributes:
        model: (models,) without each model.
        target: (targets,) without each target.
        decision: (decisions,) without each decision.
    """

    model: Values
    target: Values
    decision: Values


class Variance(NamedTuple):
    """A variance and its degrees of freedom."""

    value: float
    freedom: float


def interval(value: float, without: Without, *, lowest: float = 0.0, maximum: bool = False) -> Interval:
    """Return a figure with its interval from the jackknife.

    Variances are those on the scale of log odds, where no unit accounts for more than two thirds of what lies between
    the figure and its bounds: else the only target that is ever decided wrongly would make the interval as wide as can
    be.

    Args:
        value: The figure.
        without: The same without each unit.
        lowest: The least that the figure can be; at most it is 1.
        maximum: Whether it is a maximum over thresholds.
    """
    from scipy.special import logit

    share = (value - lowest) / (1 - lowest)
    edge = min(share, 1 - share) / 3
    if not edge:
        return Interval(value, value, value)
    variances = [jackknifed(logit(np.clip((each - lowest) / (1 - lowest), edge, 1 - edge))) for each in without]
    return from_variances(value, variances, (len(without.model), len(without.target)), lowest=lowest, maximum=maximum)


def from_variances(
    value: float, variances: Sequence[float], counts: tuple[int, int], *, lowest: float = 0.0, maximum: bool = False
) -> Interval:
    """Return a figure with Student's interval on the scale of log odds, which stays within its bounds.

    A maximum over thresholds lies above what further games would give, the less so the larger it is. For its lower end,
    only as large a share of the variance between decisions is subtracted as the figure itself is. The interval of a
    maximum ends at 0 at the latest. What lies at a bound gets an interval without width.

    Args:
        value: The figure.
        variances: On the scale of log odds, between models, between targets, and between decisions.
        counts: Numbers of models and of targets.
        lowest: The least that the figure can be; at most it is 1.
        maximum: Whether it is a maximum over thresholds.
    """
    models, targets = counts
    by_model, by_target, by_decision = variances
    share = (value - lowest) / (1 - lowest)
    ends = []
    for end, subtracted in enumerate((max(value, 0.0) if maximum else 1.0, 1.0)):
        variance, freedom = crossed(by_model, by_target, subtracted * by_decision, models=models, targets=targets)
        error = variance**0.5 * share * (1 - share)
        ends.append(lowest + (1 - lowest) * on_log_odds(share, error, freedom)[end] if error else value)
    low, high = ends
    return Interval(value, max(low, 0.0) if maximum else low, high)


def crossed(by_model: float, by_target: float, by_decision: float, *, models: int, targets: int) -> Variance:
    """Return the variance of a figure of decisions, from its variances between units.

    It is that between models, plus that between targets, less that between decisions, which is in both (Cameron,
    Gelbach and Miller 2011); at least that between the fewer of models and targets, which is all where the others add
    nothing. Its degrees of freedom are Satterthwaite's, at least as many as the fewer have. Where there is only one
    model or one target, it is the variance between the others.

    >>> crossed(4.0, 3.0, 2.0, models=50, targets=10).value, crossed(1.0, 3.0, 2.0, models=50, targets=10)
    (5.0, Variance(value=3.0, freedom=9))

    Args:
        by_model: Variance between models.
        by_target: Variance between targets.
        by_decision: Variance between decisions.
        models: Number of models.
        targets: Number of targets.
    """
    if min(models, targets) == 1:
        return Variance(max(by_model, by_target), max(models, targets, 2) - 1)
    fewest = min(models, targets) - 1
    value = max(by_model + by_target - by_decision, by_model if models < targets else by_target)
    known = by_model**2 / (models - 1) + by_target**2 / (targets - 1)
    return Variance(value, max(value**2 / known, fewest) if known else fewest)


def jackknifed(without_each: Values) -> float:
    """Return the jackknife's variance of a figure from what it is without each unit; 0 where too few leave a figure."""
    finite = without_each[np.isfinite(without_each)]
    return float((len(finite) - 1) * finite.var()) if len(finite) > 1 else 0.0
