"""95% intervals of figures of decisions by models about targets, where decisions share a model or a target."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import Interval, moved, students_quantile

_ROUNDING = 1e-12
"""Figures that differ by no more than this do not differ."""
_UNSEEN = 0.5
"""Targets, beside those seen, about which decisions are guesses."""

Values = NDArray[np.float64]


class Without(NamedTuple):
    """A figure without each unit in turn, NaN where too few are left.

    Attributes:
        model: (models,) without each model.
        target: (targets,) without each target.
        decision: (decisions,) without each decision, or each of some groups of them.
    """

    model: Values
    target: Values
    decision: Values


class Variance(NamedTuple):
    """A variance and its degrees of freedom.

    Attributes:
        value: The variance.
        freedom: Its degrees of freedom.
        subtracted: What was subtracted to count single decisions once.
    """

    value: float
    freedom: float
    subtracted: float


def interval(value: float, without: Without, *, lowest: float = 0.0, maximum: bool = False) -> Interval:
    """Return a figure with its interval from the jackknife.

    Variances are those on the scale of log odds. That between models is the plain one times the square of the slope
    there: one model of few that differs would else make the interval as wide as can be. Where a target or a decision is
    left out, no more than two thirds of what lies between the figure and the nearer bound counts, for the same reason.
    Models, or targets, of which one alone makes the figure, count as one.

    Near a bound all that is missed may be missed of one target in many, which is among few by luck or not at all, and
    the spread of those seen does not tell. So the interval holds at least what the figure would be with half a target
    more, about which guesses are right in half of the decisions. Half a unit more is what Jeffreys' prior of a share
    adds (Brown, Cai and DasGupta 2001). Where targets that are told badly are rare and told as badly as by guessing,
    the interval is too narrow all the same.

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
    model, target, decision = ((each - lowest) / (1 - lowest) for each in without)
    others = [jackknifed(logit(np.clip(each, edge, 1 - edge))) for each in (target, decision)]
    models, targets = (1 if np.isnan(each).any() else len(each) for each in (model, target))
    by_model = of_log_odds(jackknifed(model), share)
    crossed = from_variances(value, (by_model, *others), (models, targets), lowest=lowest, maximum=maximum)
    if targets == 1 or crossed.low == crossed.high:
        return crossed
    diluted = lowest + (1 - lowest) * (share + (0.5 - share) * _UNSEEN / (targets + _UNSEEN))
    return (
        crossed._replace(low=min(crossed.low, diluted))
        if share > 0.5
        else crossed._replace(high=max(crossed.high, diluted))
    )


def of_log_odds(variance: float, share: float) -> float:
    """Return the variance of the log odds of a share from that of the share."""
    return variance / (share * (1 - share)) ** 2


def from_variances(
    value: float, variances: Sequence[float], counts: tuple[int, int], *, lowest: float = 0.0, maximum: bool = False
) -> Interval:
    """Return a figure with Student's interval on the scale of log odds, which stays within its bounds.

    A maximum over thresholds lies above what further games would give, the less so the larger it is. For its lower end,
    what is subtracted from the variance is multiplied by the square of the figure. The interval of a maximum ends at 0
    at the latest. A variance of 0 gives an interval without width.

    Args:
        value: The figure, not at a bound.
        variances: On the scale of log odds, between models, between targets, and between decisions.
        counts: Numbers of models and of targets.
        lowest: The least that the figure can be; at most it is 1.
        maximum: Whether it is a maximum over thresholds.
    """
    models, targets = counts
    by_model, by_target, by_decision = variances
    variance, freedom, subtracted = crossed(by_model, by_target, by_decision, models=models, targets=targets)
    if not variance:
        return Interval(value, value, value)
    below = variance + (1 - value**2) * subtracted if maximum else variance
    share, quantile = (value - lowest) / (1 - lowest), students_quantile(freedom)
    low, high = (
        lowest + (1 - lowest) * moved(share, distance)
        for distance in (-quantile * below**0.5, quantile * variance**0.5)
    )
    return Interval(value, max(low, 0.0) if maximum else low, high)


def crossed(by_model: float, by_target: float, by_decision: float, *, models: int, targets: int) -> Variance:
    """Return the variance of a figure of decisions, from its variances between units.

    It is that between models, plus that between targets, less what is in both (Cameron, Gelbach and Miller 2011): the
    variance between decisions without what models and targets add to it, as in an analysis of variance. Where neither
    add anything, all of these are the same but for luck: so no more than half of the sum is subtracted. Where targets
    outnumber models, whose own variance may be small by luck, that between targets is left in full.

    The degrees of freedom are Satterthwaite's, adapted: targets differ in what leaks, and count with all of their
    variance; models are trained alike, and count with what they add. They are at least as many as the fewer have. Where
    there is only one model or one target, the variance is that between the others.

    >>> crossed(1.0, 1.0, 1.0, models=50, targets=10).value, crossed(0.0, 5.0, 2.0, models=2, targets=3).value
    (1.0, 5.0)
    """
    if min(models, targets) == 1:
        return Variance(by_target if models == 1 else by_model, max(models, targets, 2) - 1, 0.0)
    others = (models - 1) * (targets - 1)
    total = (models * targets - 1) * by_decision
    shared = max(total - (models - 1) * by_model - (targets - 1) * by_target, 0.0) / others
    shared = min(shared, by_model if targets > models else (by_model + by_target) / 2)
    value = by_model + by_target - shared
    known = shared**2 / others + max(by_model - shared, 0.0) ** 2 / (models - 1) + by_target**2 / (targets - 1)
    fewest = min(models, targets) - 1
    return Variance(value, max(value**2 / known, fewest) if known else fewest, shared)


def jackknifed(without_each: Values) -> float:
    """Return the jackknife's variance of a figure from what it is without each unit; 0 where too few leave a figure."""
    finite = without_each[np.isfinite(without_each)]
    if len(finite) < 2 or np.ptp(finite) < _ROUNDING:
        return 0.0
    return float((len(finite) - 1) * finite.var())
