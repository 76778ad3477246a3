"""How well membership was told: accuracy, ROC, AUC and advantage, with intervals that respect shared models."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
_RESAMPLES = 500
_CELLS = 2**20
"""Decisions that are counted at a time, at most."""

Figures = NDArray[np.float64]
"""(...) one number for each way in which trials are counted; a single one for plain trials."""


@dataclass(frozen=True)
class Trials:
    """Decisions of an attack: one row a target model, one column a target.

    Attributes:
        member: (plays, targets) bool, the secret bits.
        score: (plays, targets) float, higher means more likely a member.
        decision: (plays, targets) bool, the attack's guesses.
        times: (..., plays, targets) int, how often each decision counts, for each way of counting; once by default.
    """

    member: NDArray[np.bool_]
    score: NDArray[np.float64]
    decision: NDArray[np.bool_]
    times: NDArray[np.int64] | None = None

    def take(self, plays: NDArray[np.int64], targets: NDArray[np.int64]) -> "Trials":
        """Return the plain trials of the given plays and targets, repeats allowed."""
        grid = np.ix_(plays, targets)
        return Trials(self.member[grid], self.score[grid], self.decision[grid])

    def count(self, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many decisions there are of those marked (plays, targets), for each way of counting."""
        return np.asarray(which.sum() if self.times is None else np.tensordot(self.times, which, axes=2))

    def ranked(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return how many non-members and members score at least each threshold, strictest first, each (..., cells)."""
        score = self.score.ravel()
        order = np.argsort(-score, kind="stable")
        member = self.member.ravel()[order]
        last_of_tie = np.append(np.diff(score[order]) != 0, True)
        times = (
            np.ones_like(order) if self.times is None else self.times.reshape(*self.times.shape[:-2], -1)[..., order]
        )
        hits = np.cumsum(times * member, axis=-1)[..., last_of_tie]
        return np.cumsum(times, axis=-1)[..., last_of_tie] - hits, hits


Statistic = Callable[[Trials], Figures]


def accuracy(trials: Trials) -> Figures:
    """Share of guesses that were right."""
    return _share(trials, trials.member == trials.decision, np.ones_like(trials.member))


def precision(trials: Trials) -> Figures:
    """Share of those called members that are; NaN when nobody is."""
    return _share(trials, trials.member & trials.decision, trials.decision)


def recall(trials: Trials) -> Figures:
    """Share of members that are called so; NaN without members."""
    return _share(trials, trials.member & trials.decision, trials.member)


def auc(trials: Trials) -> Figures:
    """Probability that a random member scores above a random non-member, ties counting half; NaN without both."""
    alarms, hits = trials.ranked()
    above = 2 * hits - np.diff(hits, prepend=0)  # members above each non-member twice, members beside it once
    halves = (np.diff(alarms, prepend=0) * above).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(halves / 2 / (hits[..., -1] * alarms[..., -1]))


def advantage(trials: Trials) -> Figures:
    """Largest difference of true- and false-positive rate over all thresholds; NaN without both classes."""
    false_positive, true_positive = roc(trials)
    return np.asarray((true_positive - false_positive).max(axis=-1))


def roc(trials: Trials) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return false- and true-positive rates, (..., thresholds) fractions, from the strictest to the laxest."""
    alarms, hits = trials.ranked()
    origin = np.zeros_like(hits[..., :1])
    with np.errstate(invalid="ignore"):
        rates = [np.where(alarms + hits == 0, 0.0, found / found[..., -1:]) for found in (alarms, hits)]
    false_positive, true_positive = (np.concatenate([origin, rate], axis=-1) for rate in rates)
    return false_positive, true_positive


def tpr_at(trials: Trials, false_positive_rate: float) -> Figures:
    """Return the true-positive rate at no more than a false-positive rate, both fractions.

    NaN when the rate lies below one non-member, where the data say nothing.
    """
    false_positive, true_positive = roc(trials)
    found = np.where(false_positive <= false_positive_rate + 1e-12, true_positive, 0.0).max(axis=-1)
    return np.where(false_positive_rate * trials.count(~trials.member) < 1, np.nan, found)


def interval(
    trials: Trials, statistic: Statistic, rng: np.random.Generator, resamples: int = _RESAMPLES
) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a statistic of trials.

    Target models and targets are resampled independently, both with replacement: decisions about the same target, or
    by the same model, are not independent, and resampling single decisions would make the interval too narrow
    (Owen 2007, "The pigeonhole bootstrap"). Scores that never
    vary get Wilson's bound for as many decisions as there are models or targets, the fewer, rather than a width of 0.
    """
    values = np.concatenate([statistic(drawn) for drawn in _resampled(trials, rng, resamples)])
    values = values[np.isfinite(values)]
    if not len(values):
        return float("nan"), float("nan")
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return uncertain(float(low), float(high), min(trials.member.shape))


def uncertain(low: float, high: float, count: int) -> tuple[float, float]:
    """Return an interval of a share, with Wilson's bound for so many independent decisions where it has no width.

    >>> uncertain(1.0, 1.0, 100) == (1 - 3.84 / 103.84, 1.0)
    True
    """
    if low != high:
        return low, high
    margin = 3.84 / (count + 3.84)
    return max(low - margin, 0.0) if low > 0 else 0.0, min(high + margin, 1.0) if high < 1 else 1.0


def mean_share(
    hits: NDArray[np.float64], asked: NDArray[np.float64], rng: np.random.Generator, resamples: int = _RESAMPLES
) -> tuple[float, float, float]:
    """Return the share of hits among what was asked, averaged over the rows, and its 95 % bootstrap interval.

    Victims, the columns, are resampled, so that answers about one victim stay together. A share of exactly 0 or 1 gets
    Wilson's bound instead of a width of 0.

    Args:
        hits: (secrets, victims) 1 where the answer was right, 0 elsewhere.
        asked: (secrets, victims) 1 where an answer was asked for.
        rng: Source of the resampling.
        resamples: How often to resample.
    """
    victims = hits.shape[1]
    counts = rng.multinomial(victims, np.full(victims, 1 / victims), size=resamples).astype(np.float64)
    value = float(np.mean(hits.sum(axis=1) / asked.sum(axis=1)))
    drawn = counts @ asked.T  # (resamples, secrets)
    usable = drawn.all(axis=1)
    means = ((counts @ hits.T)[usable] / drawn[usable]).mean(axis=1)
    low, high = (float(bound) for bound in np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    return value, *uncertain(low, high, int(asked.sum(axis=1).min()))


def roc_band(
    trials: Trials, rates: NDArray[np.float64], rng: np.random.Generator, resamples: int = 200
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the true-positive rate at each false-positive rate, with its 95 % band."""

    def at(false_positive: NDArray[np.float64], true_positive: NDArray[np.float64]) -> NDArray[np.float64]:
        return true_positive[np.searchsorted(false_positive, rates + 1e-12, side="right") - 1]

    samples = [at(*one) for drawn in _resampled(trials, rng, resamples) for one in zip(*roc(drawn), strict=True)]
    low, high = np.nanquantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return at(*roc(trials)), low, high


def _share(trials: Trials, which: NDArray[np.bool_], of: NDArray[np.bool_]) -> Figures:
    with np.errstate(invalid="ignore"):
        return np.asarray(trials.count(which) / trials.count(of))


def _resampled(trials: Trials, rng: np.random.Generator, resamples: int) -> Iterator[Trials]:
    """Yield the trials, counted as often as resampling draws both their play and their target, some draws at a time."""
    plays, targets = trials.member.shape
    drawn = rng.integers(np.repeat([plays, targets], [plays, targets]), size=(resamples, plays + targets))
    for block in np.array_split(drawn, -(-resamples * trials.member.size // _CELLS)):
        by_play, by_target = _counted(block[:, :plays], plays), _counted(block[:, plays:], targets)
        yield replace(trials, times=by_play[:, :, None] * by_target[:, None, :])


def _counted(drawn: NDArray[np.int64], values: int) -> NDArray[np.int64]:
    """Return how often each value below a number is in each row, (rows, values)."""
    rows = np.arange(len(drawn))[:, None] * values
    return np.bincount((rows + drawn).ravel(), minlength=len(drawn) * values).reshape(len(drawn), values)
