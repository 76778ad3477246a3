"""Rules that decide membership from one statistic per example, by shadow models with known training data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FALSE_POSITIVES = 0.05
"""False-positive rate that a rule without models trained on the example is set for."""
FEWEST_COUPLES = 3
"""Couples of which each is scored by at least two others."""
_LEAST_VARIANCE = 1e-12
"""Lower bound of a variance, so that nothing is divided by 0."""
_ROUNDING = 1e-12
"""Share of a statistic below which its difference from a mean is rounding, which a least deviation would enlarge."""


@dataclass(frozen=True)
class ShadowStatistics:
    """Statistics and membership of shadow models.

    They come in couples: one of a couple was trained on an example, the other was not.

    Attributes:
        statistic: (models, examples) of each example by each model.
        member: (models, examples) whether it was trained on it.
        couple: (models,) number of the couple of each.
        group: (examples,) number of the group of each example.
    """

    statistic: NDArray[np.float64]
    member: NDArray[np.bool_]
    couple: NDArray[np.int64]
    group: NDArray[np.int64]

    def models(self, marked: NDArray[np.bool_]) -> "ShadowStatistics":
        """Return the models marked."""
        return replace(self, statistic=self.statistic[marked], member=self.member[marked], couple=self.couple[marked])

    def examples(self, marked: NDArray[np.bool_]) -> "ShadowStatistics":
        """Return the models with the examples marked."""
        return replace(
            self, statistic=self.statistic[:, marked], member=self.member[:, marked], group=self.group[marked]
        )


Rule = Callable[[NDArray[np.float64], ShadowStatistics], NDArray[np.float64]]
"""From the target's statistics and the shadow models: (examples,) scores, above 0 for those taken for members."""


def one_threshold(observed: NDArray[np.float64], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Compare with one threshold for all examples (Song and Raghunathan 2020, Algorithm 4).

    The paper leaves the choice of the threshold open; here it is the most accurate one on the shadow models.
    """
    return observed - best_threshold(shadows.statistic, shadows.member)


def group_thresholds(observed: NDArray[np.float64], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Compare with a threshold for each group, chosen in the same way."""
    score = np.empty_like(observed)
    for group in np.unique(shadows.group):
        of_group = shadows.group == group
        score[of_group] = one_threshold(observed[of_group], shadows.examples(of_group))
    return score


def likelihood_ratio(observed: NDArray[np.float64], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Return the log likelihood ratio of the statistic with and without the example in training (LiRA).

    The log of the ratio of two Gaussian densities, around the mean over the shadow models that were trained on the
    example and around that over the others. The paper estimates means and variances from the example alone, and one
    variance for all where shadow models are few, as here. Deviations: the variance is that of the example's group, and
    the difference of the means is shrunk toward the group's as far as it is noise (empirical Bayes). The threshold is
    the most accurate one on the shadow models, each scored by the other couples. Fewer than three couples leave too
    few others: the threshold is then 0, where both densities are equal. One couple shows no variance, which only scales
    the ratio.

    Source: Carlini et al. 2022, "Membership Inference Attacks From First Principles", Algorithm 1.
    """
    score: NDArray[np.float64] = _log_ratio(observed[None], shadows)[0]
    if len(np.unique(shadows.couple)) < FEWEST_COUPLES:
        return score
    return score - best_threshold(_left_out(_log_ratio, shadows), shadows.member)


def offline_ratio(observed: NDArray[np.float64], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Return how far the statistic lies above that of models without the example, in deviations (LiRA, offline).

    Models that were trained on the example are not needed, so that one pool of models serves any later example.
    The deviation is that of the example's group. The threshold is set for a false-positive rate of 5% among the
    models without an example, each scored by the other couples.

    Source: Carlini et al. 2022, "Membership Inference Attacks From First Principles", section VI-A.
    """
    left_out = _left_out(_deviations, shadows)
    score: NDArray[np.float64] = _deviations(observed[None], shadows)[0]
    return score - float(np.quantile(left_out[~shadows.member], 1 - _FALSE_POSITIVES))


RULES: Mapping[str, Rule] = {
    "likelihood_ratio": likelihood_ratio,
    "one_threshold": one_threshold,
    "group_thresholds": group_thresholds,
}
"""By name, the strongest first."""


def best_threshold(statistic: NDArray[np.float64], member: NDArray[np.bool_]) -> float:
    """Return the most accurate threshold above which examples are taken for members; of equals, the lowest.

    >>> best_threshold(np.array([1.0, 2.0, 4.0, 5.0]), np.array([False, False, True, True]))
    3.0
    """
    order = np.argsort(statistic, axis=None, kind="stable")
    values, inside = statistic.ravel()[order], member.ravel()[order]
    right = np.concatenate([[0], np.cumsum(~inside)]) + np.concatenate([np.cumsum(inside[::-1])[::-1], [0]])
    apart = np.concatenate([[True], values[1:] > values[:-1], [True]])
    index = int(np.argmax(np.where(apart, right, -1)))
    if index == 0:
        return float(np.nextafter(values[0], -np.inf))
    return float(values[-1]) if index == len(values) else float((values[index - 1] + values[index]) / 2)


def _left_out(
    score: Callable[[NDArray[np.float64], ShadowStatistics], NDArray[np.float64]], shadows: ShadowStatistics
) -> NDArray[np.float64]:
    """Return the scores of the shadow models, each by the other couples, (models, examples)."""
    left_out = np.empty_like(shadows.statistic)
    for couple in np.unique(shadows.couple):
        of_couple = shadows.couple == couple
        left_out[of_couple] = score(shadows.statistic[of_couple], shadows.models(~of_couple))
    return left_out


def _deviations(observed: NDArray[np.float64], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Return how far statistics lie above the mean of models without the example, (models, examples)."""
    without = ~shadows.member
    count = without.sum(axis=0)
    usual = np.where(without, shadows.statistic, 0.0).sum(axis=0) / count
    squares = np.where(without, (shadows.statistic - usual) ** 2, 0.0).sum(axis=0)
    variance = _total(squares, shadows) / np.maximum(_total(count - 1, shadows), 1)
    above = np.where(np.isclose(observed, usual, rtol=_ROUNDING, atol=0.0), 0.0, observed - usual)
    return np.asarray(above / np.sqrt(np.maximum(variance, _LEAST_VARIANCE)))


def _log_ratio(observed: NDArray[np.float64], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Return the log likelihood ratio of the statistics of models, (models, examples)."""
    counts = [of.sum(axis=0) for of in (shadows.member, ~shadows.member)]
    inside, outside = (
        np.where(of, shadows.statistic, 0.0).sum(axis=0) / count
        for of, count in zip((shadows.member, ~shadows.member), counts, strict=True)
    )
    squares = (shadows.statistic - np.where(shadows.member, inside, outside)) ** 2
    freedom = np.full(len(shadows.group), len(squares) - 2)
    variance = _total(squares.sum(axis=0), shadows) / np.maximum(_total(freedom, shadows), 1)
    variance = np.maximum(variance, _LEAST_VARIANCE)
    gap = inside - outside
    sizes = _total(np.ones_like(gap), shadows)
    group_gap = _total(gap, shadows) / sizes
    noise = variance * (1 / counts[0] + 1 / counts[1])
    spread = _total((gap - group_gap) ** 2, shadows) / np.maximum(sizes - 1, 1)
    trust = np.maximum(1 - noise / np.maximum(spread, _LEAST_VARIANCE), 0.0)
    difference = group_gap + trust * (gap - group_gap)
    return np.asarray(difference / variance * (observed - (inside + outside) / 2))


def _total(values: NDArray[Any], shadows: ShadowStatistics) -> NDArray[np.float64]:
    """Return the sum of values over the group of each example, (examples,)."""
    return np.asarray(np.bincount(shadows.group, values)[shadows.group], dtype=np.float64)
