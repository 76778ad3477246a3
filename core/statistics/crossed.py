"""95 % intervals of figures of decisions by models about targets, where decisions share a model or a target."""

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


def interval(value: float, without: Without) -> Interval:
    """Return a share with Student's interval on the scale of log odds, which stays within its bounds.

    Variances are the jackknife's, on the same scale, where no unit accounts for more than two thirds of what lies
    between the share and its bounds: else the only target that is ever decided wrongly would make the interval as wide
    as can be. What is 0 or 1 gets an interval without width.

    Args:
        value: The share.
        without: The same without each unit.
    """
    from scipy.special import logit

    edge = min(value, 1 - value) / 3
    if not edge:
        return Interval(value, value, value)
    variances = (jackknifed(logit(np.clip(each, edge, 1 - edge))) for each in without)
    variance, freedom = crossed(*variances, models=len(without.model), targets=len(without.target))
    if not variance:
        return Interval(value, value, value)
    return Interval(value, *on_log_odds(value, variance**0.5 * value * (1 - value), freedom))


def crossed(by_model: float, by_target: float, by_decision: float, *, models: int, targets: int) -> Variance:
    """Return the variance of a figure of decisions, from its variances between units.

    It is that between models, plus that between targets, less that between decisions, which is in both (Cameron,
    Gelbach and Miller 2011); at least that between the fewer of models and targets, which is all where the others add
    nothing. Its degrees of freedom are Satterthwaite's, at least as many as the fewer have.

    >>> crossed(4.0, 3.0, 2.0, models=50, targets=10).value, crossed(1.0, 3.0, 2.0, models=50, targets=10)
    (5.0, Variance(value=3.0, freedom=9))

    Args:
        by_model: Variance between models.
        by_target: Variance between targets.
        by_decision: Variance between decisions.
        models: Number of models.
        targets: Number of targets.
    """
    fewest = min(models, targets) - 1
    value = max(by_model + by_target - by_decision, by_model if models < targets else by_target)
    known = by_model**2 / (models - 1) + by_target**2 / (targets - 1)
    return Variance(value, max(value**2 / known, fewest) if known else fewest)


def jackknifed(without_each: Values) -> float:
    """Return the jackknife's variance of a figure from what it is without each unit; 0 where too few leave a figure."""
    finite = without_each[np.isfinite(without_each)]
    return float((len(finite) - 1) * finite.var()) if len(finite) > 1 else 0.0
