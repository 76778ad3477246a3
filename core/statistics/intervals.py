"""95% intervals of means: by the bootstrap, of few values after Clopper and Pearson, of models after Student."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.result import Column, Schema
from core.statistics import resampling

LEVEL = 0.95
RESAMPLES = 500
_DIGITS = 9
_CHI_SQUARED = 3.84
"""The 95% quantile of the chi-squared distribution with one degree of freedom."""

Values = NDArray[np.float64] | NDArray[np.bool_]
"""Values between 0 and 1, (victims,)."""


class Interval(NamedTuple):
    """A figure with its 95% interval."""

    value: float
    low: float = float("nan")
    high: float = float("nan")

    def columns(self, name: str, *, bare: bool = False) -> dict[str, float]:
        """Return the figure and its ends as columns of a table; `with_interval` declares them."""
        return dict(zip(_names(name, bare), self, strict=True))


UNKNOWN = Interval(float("nan"))


def with_interval(name: str, meaning: str, whose: str = "its", *, bare: bool = False) -> Schema:
    """Return the columns of a figure and of the ends of its interval.

    Args:
        name: Name of the figure.
        meaning: Its help text.
        whose: Whose interval it is, in the help texts of the ends.
        bare: Whether the ends are called ``low`` and ``high`` without the name of the figure.
    """
    ends = (f"Lower end of {whose} 95% interval.", f"Upper end of {whose} 95% interval.")
    return {column: Column("float64", text) for column, text in zip(_names(name, bare), (meaning, *ends), strict=True)}


def _names(name: str, bare: bool) -> tuple[str, str, str]:
    prefix = "" if bare else f"{name}_"
    return name, f"{prefix}low", f"{prefix}high"


def middle(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range in which the middle 95% of values lie."""
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def settled(interval: Interval, chance: float, by_chance: Callable[[], NDArray[np.float64]]) -> Interval:
    """Return an interval an end of which lies beyond chance only if chance alone hardly reaches the figure.

    A bootstrap of few decisions excludes chance too often. So an end stays there only if draws of what guessing gives
    reach the figure in less than 2.5% of them, as in a permutation test; otherwise it is chance.

    Args:
        interval: The figure with its interval.
        chance: What guessing gives on average.
        by_chance: Draws the figure of guesses, (draws,); not called where the interval holds chance anyway.
    """
    value, low, high = interval
    if not np.isfinite(value) or low <= chance <= high:
        return interval
    drawn = by_chance()
    as_far = (drawn >= value).sum() if low > chance else (drawn <= value).sum()
    if (1 + as_far) / (1 + len(drawn)) <= (1 - LEVEL) / 2:
        return interval
    return Interval(value, min(low, chance), max(high, chance))


def uncertain(low: float, high: float, count: int) -> tuple[float, float]:
    """Return the interval of a share; where it has no width, Wilson's bound for `count` independent decisions.

    Between 0 and 1 it reaches as far on either side as that bound does from 0 or 1, which is further than Wilson's.

    >>> uncertain(1.0, 1.0, 100) == (1 - 3.84 / 103.84, 1.0)
    True
    """
    if low != high:
        return low, high
    margin = wilson_margin(count)
    return max(low - margin, 0.0) if low > 0 else 0.0, min(high + margin, 1.0) if high < 1 else 1.0


def wilson_margin(count: int) -> float:
    """Return how far Wilson's 95% bound lies from a share of 0 or 1 in `count` independent decisions.

    >>> round(wilson_margin(100), 3)
    0.037
    """
    return _CHI_SQUARED / (count + _CHI_SQUARED)


def mean_share(
    hits: NDArray[np.float64],
    required: NDArray[np.float64],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: NDArray[np.int64] | None = None,
) -> Interval:
    """Return the share of right answers, averaged over the secrets, and its 95% bootstrap interval.

    Victims, the columns, are resampled, so that answers about one victim stay together. Where victims come in clusters,
    clusters are resampled, and then the victims of each. A share of exactly 0 or 1 gets Wilson's bound instead of a
    width of 0.

    Args:
        hits: (secrets, victims) 1 where the answer was right, 0 elsewhere.
        required: (secrets, victims) 1 where an answer was required.
        rng: Source of the resampling.
        resamples: Number of resamples.
        clusters: (victims,) number of the cluster of each, such as its author; None where victims are independent.
    """
    victims = hits.shape[1]
    independent = int(required.sum(axis=1).min())
    if clusters is None:
        counts = resampling.drawn(victims, resamples, rng).astype(np.float64)
    else:
        counts = _drawn_in_clusters(clusters, rng, resamples)
        independent = min(independent, len(np.unique(clusters)))
    value = float(np.mean(hits.sum(axis=1) / required.sum(axis=1)))
    drawn = counts @ required.T  # (resamples, secrets)
    usable = drawn.all(axis=1)
    means = ((counts @ hits.T)[usable] / drawn[usable]).mean(axis=1)
    return Interval(value, *uncertain(*middle(means), independent))


def _drawn_in_clusters(clusters: NDArray[np.int64], rng: np.random.Generator, resamples: int) -> NDArray[np.float64]:
    """Return how often each victim is drawn, (resamples, victims): clusters first, then as many victims as each has."""
    numbers = np.unique(clusters)
    drawn = rng.multinomial(len(numbers), np.full(len(numbers), 1 / len(numbers)), size=resamples)
    counts = np.empty((resamples, len(clusters)))
    for number, times in zip(numbers, drawn.T, strict=True):
        inside = np.flatnonzero(clusters == number)
        counts[:, inside] = rng.multinomial(times * len(inside), np.full(len(inside), 1 / len(inside)))
    return counts


def mean_of_few(values: NDArray[np.float64], most: float = 1.0, *, capped: bool = False) -> Interval:
    """Return the mean of a few values between 0 and `most`, with its 95% interval.

    The interval of Clopper and Pearson for the share that the mean is of the most. It is one-sided where the share is
    0 or 1, and two-sided elsewhere, so that it holds some shares of very few values a little less often than promised.
    Values in between vary less than the 0 or 1 of a count, and are worth more of them (Korn and Graubard 1998): as
    many as have the variance of their mean, less a correction by Student's distribution for estimating it.

    >>> low, high = mean_of_few(np.zeros(10))[1:]
    >>> (low, round(high, 3))
    (0.0, 0.259)

    Args:
        values: (values,) independent of each other; of one value nothing is known but its bounds.
        most: The largest possible value.
        capped: Whether values that vary little near the most may hide one far below, as values at the most may: the
            lower end is at most that of values all alike just below the most, and values that rise never lower it.
    """
    from scipy.special import betainccinv, betaincinv, ndtri, stdtrit  # importing scipy.stats takes half a second

    value, count, tail = float(values.mean()), len(values), (1 - LEVEL) / 2
    shares = (values / most).round(_DIGITS).clip(0, 1)  # so that rounding errors are no variance
    share, variance, effective = float(shares.mean().round(_DIGITS)), float(shares.var()), float(count)
    if shares.min() < shares.max():
        trusted = (ndtri(tail) / stdtrit(count - 1, tail)) ** 2
        effective = max(effective, count * share * (1 - share) / variance * trusted)
    if share in (0.0, 1.0):
        missed = most * (2 * tail) ** (1 / effective)
        return Interval(value, *((missed, max(most, value)) if share else (0.0, most - missed)))
    hits = share * effective
    low = betaincinv(hits, effective - hits + 1, tail)
    high = betainccinv(hits + 1, effective - hits, tail)
    low = min(low, tail ** (1 / count)) if capped else low
    return Interval(value, float(most * low), float(most * high))


def mean_over_models(values: NDArray[np.float64], *, share: bool) -> Interval:
    """Return the mean of a figure of several models, with Student's 95% interval.

    It is symmetric on the scale of log odds for a share, and of logarithms for any other figure, and so stays within
    the bounds of the figure. Shares that are all alike, but for rounding errors, get the interval of
    `uncertain` for as many decisions as there are models.

    Args:
        values: (models,) at least two, none negative; between 0 and 1 if ``share``.
        share: Whether the figure is a share.
    """
    value, count = float(values.mean()), len(values)
    if not round(float(np.ptp(values)), _DIGITS):
        return Interval(value, *(uncertain(value, value, count) if share else (value, value)))
    error = float(values.std(ddof=1)) / count**0.5
    return Interval(value, *(on_log_odds if share else _on_logarithms)(value, error, count - 1))


def students_quantile(freedom: float) -> float:
    """Return how many standard errors Student's 95% interval reaches to either side.

    >>> [round(students_quantile(freedom), 2) for freedom in (2, 30, np.inf)]
    [4.3, 2.04, 1.96]
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def on_log_odds(share: float, error: float, freedom: float) -> tuple[float, float]:
    """Return Student's interval of a share with a standard error, symmetric on the scale of log odds."""
    reach = students_quantile(freedom) * error / (share * (1 - share))
    return moved(share, -reach), moved(share, reach)


def moved(share: float, distance: float) -> float:
    """Return the share that lies at a distance on the scale of log odds.

    >>> moved(0.5, 0.0), round(moved(0.9, 1.0), 2), round(moved(0.9, -1.0), 2)
    (0.5, 0.96, 0.77)
    """
    from scipy.special import expit, logit

    return float(expit(logit(share) + distance))


def _on_logarithms(value: float, error: float, freedom: float) -> tuple[float, float]:
    reach = students_quantile(freedom) * error / value
    return value * math.exp(-reach), value * math.exp(reach)


def of_many(interval: Interval, figures: int) -> Interval:
    """Return an interval that holds with those of all of some figures at once (Bonferroni).

    It is widened to the level ``1 - 0.05 / figures``, in the ratio of the normal quantiles.

    >>> [round(end, 2) for end in of_many(Interval(0.7, 0.65, 0.8), 9)]
    [0.7, 0.63, 0.84]
    """
    value, low, high = interval
    return Interval(value, low_of_many(value, low, figures), -low_of_many(-value, -high, figures))


def low_of_many(value: float, low: float, figures: int) -> float:
    """Return the lower end of an interval that holds with those of all of some figures at once (Bonferroni).

    The interval is widened to the level ``1 - 0.05 / figures``, in the ratio of the normal quantiles.

    >>> low_of_many(0.7, 0.65, 1), round(low_of_many(0.7, 0.65, 9), 2)
    (0.65, 0.63)
    """
    from scipy.special import ndtri

    tail = (1 - LEVEL) / 2
    return value - (value - low) * float(ndtri(tail / figures) / ndtri(tail))


def difference(first: Interval, second: Interval, *, correlation: float = 0.0) -> Interval:
    """Return the first figure less the second, with its 95% interval (Zou and Donner 2008, equation 11; Zou 2007).

    Without a correlation it takes both for independent, so for two adversaries on the same decisions it is too wide
    rather than too narrow.

    >>> [round(end, 2) for end in difference(Interval(0.97, 0.88, 1.0), Interval(0.71, 0.51, 0.87))]
    [0.26, 0.08, 0.46]
    """
    low = _apart(first.value - first.low, second.high - second.value, correlation)
    high = _apart(first.high - first.value, second.value - second.low, correlation)
    value = first.value - second.value
    return Interval(value, value - low, value + high)


def _apart(first: float, second: float, correlation: float) -> float:
    """Return the third side of a triangle with two sides whose angle has this cosine."""
    return math.hypot(first - correlation * second, math.sqrt(1 - correlation**2) * second)


def mean_of(values: Values, rng: np.random.Generator) -> Interval:
    """Return the mean of some values and its 95% bootstrap interval; NaN of none."""
    if not len(values):
        return UNKNOWN
    return mean_share(values[None].astype(np.float64), np.ones((1, len(values))), rng)
