"""How well membership was told: accuracy, ROC, AUC and advantage, with intervals that respect shared models."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
_RESAMPLES = 500


@dataclass(frozen=True)
class Trials:
    """Decisions of an attack: one row a target model, one column a target.

    Attributes:
        member: (plays, targets) bool, the secret bits.
        score: (plays, targets) float, higher means more likely a member.
        decision: (plays, targets) bool, the attack's guesses.
    """

    member: NDArray[np.bool_]
    score: NDArray[np.float64]
    decision: NDArray[np.bool_]

    def take(self, plays: NDArray[np.int64], targets: NDArray[np.int64]) -> "Trials":
        """Return the trials of the given plays and targets, repeats allowed."""
        grid = np.ix_(plays, targets)
        return Trials(self.member[grid], self.score[grid], self.decision[grid])


Statistic = Callable[[Trials], float]


def accuracy(trials: Trials) -> float:
    """Share of guesses that were right."""
    return float(np.mean(trials.member == trials.decision))


def precision(trials: Trials) -> float:
    """Share of those called members that are; NaN when nobody is."""
    return float(trials.member[trials.decision].mean()) if trials.decision.any() else float("nan")


def recall(trials: Trials) -> float:
    """Share of members that are called so; NaN without members."""
    return float(trials.decision[trials.member].mean()) if trials.member.any() else float("nan")


def auc(trials: Trials) -> float:
    """Probability that a random member scores above a random non-member, ties counting half; NaN without both."""
    from scipy.stats import rankdata

    member = trials.member.ravel()
    inside, outside = int(member.sum()), int((~member).sum())
    if not inside or not outside:
        return float("nan")
    ranks = rankdata(trials.score.ravel())
    return float((ranks[member].sum() - inside * (inside + 1) / 2) / (inside * outside))


def advantage(trials: Trials) -> float:
    """Largest difference of true- and false-positive rate over all thresholds; NaN without both classes."""
    false_positive, true_positive = roc(trials)
    return float(np.max(true_positive - false_positive))


def roc(trials: Trials) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return false- and true-positive rates, as fractions, at every threshold from the strictest to the laxest."""
    member, score = trials.member.ravel(), trials.score.ravel()
    order = np.argsort(-score, kind="stable")
    last_of_tie = np.append(np.diff(score[order]) != 0, True)
    hits = np.cumsum(member[order])[last_of_tie]
    alarms = np.cumsum(~member[order])[last_of_tie]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.append(0.0, alarms / alarms[-1]), np.append(0.0, hits / hits[-1])


def tpr_at(trials: Trials, false_positive_rate: float) -> float:
    """Return the true-positive rate at no more than a false-positive rate, both fractions.

    NaN when the rate lies below one non-member, where the data say nothing.
    """
    if false_positive_rate * int((~trials.member).sum()) < 1:
        return float("nan")
    false_positive, true_positive = roc(trials)
    return float(true_positive[false_positive <= false_positive_rate + 1e-12].max())


def interval(
    trials: Trials, statistic: Statistic, rng: np.random.Generator, resamples: int = _RESAMPLES
) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a statistic of trials.

    Target models and targets are resampled independently, both with replacement: decisions about the same target, or
    by the same model, are not independent, and resampling single decisions would make the interval too narrow
    (Owen 2007, "The pigeonhole bootstrap"). Scores that never
    vary get Wilson's bound for as many decisions as there are models or targets, the fewer, rather than a width of 0.
    """
    values = np.array([statistic(_resampled(trials, rng)) for _ in range(resamples)])
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

    def at(sample: Trials) -> NDArray[np.float64]:
        false_positive, true_positive = roc(sample)
        place = np.searchsorted(false_positive, rates + 1e-12, side="right") - 1
        return true_positive[place]

    samples = [at(_resampled(trials, rng)) for _ in range(resamples)]
    low, high = np.nanquantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return at(trials), low, high


def _resampled(trials: Trials, rng: np.random.Generator) -> Trials:
    plays, targets = trials.member.shape
    return trials.take(
        np.asarray(rng.integers(plays, size=plays), np.int64), np.asarray(rng.integers(targets, size=targets), np.int64)
    )
