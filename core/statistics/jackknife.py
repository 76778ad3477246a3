"""95 % intervals of figures of decisions by few models about few targets, by the jackknife."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.statistics.crossed import jackknifed
from core.statistics.decisions import Decisions, Statistic
from core.statistics.intervals import Interval, on_log_odds, uncertain
from core.statistics.leave_outs import Units, without_each
from core.statistics.measures import LOW_RATES

_MAXIMA = ("advantage",)
"""Figures that are a maximum over thresholds."""


def figures_over_targets(decisions: Decisions, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
    """Return figures with their 95 % intervals.

    Decisions that share a model or a target are not independent. The variance is that between models, plus that between
    targets, less that of single decisions, which is in both (Cameron, Gelbach and Miller 2011); each is a jackknife's.
    Intervals are Student's on the scale of log odds, with Satterthwaite's degrees of freedom, and so stay within the
    bounds of the figure. The freedom is at most that of several targets: where they differ in what leaks, few of them
    estimate the variance poorly however many models there are. The advantage is a maximum and lies above what further
    games would give; nothing is subtracted from its variance, so that its interval reaches down to that. Where nothing
    varies, the interval is Wilson's for as many decisions as there are models, targets, or decisions that the figure is
    a share of, whichever are fewest. Scores that are all equal order nothing: their area under the curve is one half
    whatever bits are drawn, and no estimate.

    A true-positive rate at a low false-positive rate hangs on so few non-members that leaving one out says nothing of
    its spread; its interval is that of `Decisions.figures`.

    Args:
        decisions: One row a target model, one column a target.
        names: Of those in `Decisions.statistics`.
        rng: Source of the resampling.
    """
    names = tuple(names)
    figures = decisions.figures([name for name in names if name in LOW_RATES], rng)
    statistics = {name: decisions.statistics[name] for name in names if name not in LOW_RATES}
    models, targets = decisions.member.shape
    by_decision = np.arange(models * targets).reshape(models, targets)
    spreads = [
        _spread(decisions, statistics, units) for units in (by_decision // targets, by_decision % targets, by_decision)
    ]
    for name in statistics:
        if name == "auc" and decisions.value(name) == 0.5 and np.ptp(decisions.score) == 0:
            figures[name] = Interval(0.5, 0.5, 0.5)
            continue
        variances = [spread[name] for spread in spreads]
        figures[name] = _interval(
            decisions.value(name), variances, (models, targets), _among(decisions, name), maximum=name in _MAXIMA
        )
    return {name: figures[name] for name in names}


def _among(decisions: Decisions, name: str) -> int:
    """Return how many decisions a figure is a share of; of two kinds, the fewer."""
    members = int(decisions.member.sum())
    of = {"accuracy": decisions.member.size, "precision": int(decisions.called.sum()), "recall": members}
    return of.get(name, min(members, decisions.member.size - members))


def _interval(
    value: float, variances: Sequence[float], counts: Sequence[int], among: int, *, maximum: bool
) -> Interval:
    """Return a figure with its interval.

    Args:
        value: The figure.
        variances: Between models, between targets, and between decisions.
        counts: Models and targets.
        among: Decisions that the figure is a share of.
        maximum: Whether it is a maximum of differences, between -1 and 1; else it lies between 0 and 1.
    """
    by_model, by_target, by_decision = variances
    if not np.isfinite(value):
        return Interval(value)
    lowest, counted_twice = (-1.0, 0.0) if maximum else (0.0, by_decision)
    width = 1 - lowest
    share = (value - lowest) / width
    variance = max(by_model + by_target - counted_twice, by_model, by_target)
    if not variance or share in (0.0, 1.0):
        return Interval(value, *uncertain(value, value, min(*counts, among)))
    freedom = (by_model + by_target) ** 2 / sum(
        component**2 / max(count - 1, 1) for component, count in zip((by_model, by_target), counts, strict=True)
    )
    _, targets = counts
    if targets > 1:
        freedom = min(freedom, targets - 1)
    low, high = on_log_odds(share, variance**0.5 / width, freedom)
    return Interval(value, max(lowest + width * low, 0.0), lowest + width * high)


def _spread(decisions: Decisions, statistics: Mapping[str, Statistic], units: Units) -> dict[str, float]:
    """Return the jackknife's variance of each figure over units; 0 where too few leave a figure."""
    return {name: jackknifed(without) for name, without in without_each(decisions, statistics, units).items()}
