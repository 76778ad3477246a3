"""How an adversary decides membership from one number of each example, by models whose training data it knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LEAST_VARIANCE = 1e-12
"""Of a number that never varies, so that nothing is divided by 0."""


@dataclass(frozen=True)
class Shadows:
    """Models like the target, of which the adversary knows what they were trained on.

    They come in couples: of each example, one of a couple was trained on it and the other was not.

    Attributes:
        statistic: (models, examples) what each model gives for each example.
        member: (models, examples) whether it was trained on it.
        couple: (models,) number of the couple of each.
        group: (examples,) number of the group of each example.
    """

    statistic: NDArray[np.float64]
    member: NDArray[np.bool_]
    couple: NDArray[np.int64]
    group: NDArray[np.int64]

    def models(self, kept: NDArray[np.bool_]) -> "Shadows":
        """Return some of the models."""
        return replace(self, statistic=self.statistic[kept], member=self.member[kept], couple=self.couple[kept])

    def examples(self, kept: NDArray[np.bool_]) -> "Shadows":
        """Return the models with some of the examples."""
        return replace(self, statistic=self.statistic[:, kept], member=self.member[:, kept], group=self.group[kept])


Rule = Callable[[NDArray[np.float64], Shadows], NDArray[np.float64]]
"""From what the target gives for each example, and the shadows: a score each, above 0 for those called members."""


def one_threshold(observed: NDArray[np.float64], shadows: Shadows) -> NDArray[np.float64]:
    """Compare with one threshold for all examples (Song and Raghunathan 2020, Algorithm 4).

    The paper does not say how its threshold is chosen; here it is the one that is right most often on the shadows.
    """
    return observed - best_threshold(shadows.statistic, shadows.member)


def group_thresholds(observed: NDArray[np.float64], shadows: Shadows) -> NDArray[np.float64]:
    """Compare with a threshold for each group, chosen as the one threshold is."""
    score = np.empty_like(observed)
    for group in np.unique(shadows.group):
        own = shadows.group == group
        score[own] = one_threshold(observed[own], shadows.examples(own))
    return score


def likelihood_ratio(observed: NDArray[np.float64], shadows: Shadows) -> NDArray[np.float64]:
    """Ask which is likelier, that a model with this example or one without it gives this number (LiRA).

    The log of the ratio of two Gaussian densities, one around the mean over the shadows that were trained on the
    example, one around that over the others. The paper has both means and both variances from the example alone, and
    one variance for all where shadows are few. Ours are few: the variance is that of the example's group, and the
    difference of the means is drawn toward the group's, as far as it is no more than noise (empirical Bayes). The
    threshold is right most often on the shadows, each scored by the other couples.

    Source: Carlini et al. 2022, "Membership Inference Attacks From First Principles", Algorithm 1.
    """
    left_out = np.empty_like(shadows.statistic)
    for couple in np.unique(shadows.couple):
        own = shadows.couple == couple
        left_out[own] = _log_ratio(shadows.statistic[own], shadows.models(~own))
    score: NDArray[np.float64] = _log_ratio(observed[None], shadows)[0]
    return score - best_threshold(left_out, shadows.member)


RULES: Mapping[str, Rule] = {
    "likelihood_ratio": likelihood_ratio,
    "one_threshold": one_threshold,
    "group_thresholds": group_thresholds,
}
"""By name, the strongest in front."""


def best_threshold(statistic: NDArray[np.float64], member: NDArray[np.bool_]) -> float:
    """Return the threshold above which calling examples members is right most often; of equals, the lowest.

    >>> best_threshold(np.array([1.0, 2.0, 4.0, 5.0]), np.array([False, False, True, True]))
    3.0
    """
    order = np.argsort(statistic, axis=None, kind="stable")
    values, inside = statistic.ravel()[order], member.ravel()[order]
    right = np.concatenate([[0], np.cumsum(~inside)]) + np.concatenate([np.cumsum(inside[::-1])[::-1], [0]])
    apart = np.concatenate([[True], values[1:] > values[:-1], [True]])
    place = int(np.argmax(np.where(apart, right, -1)))
    if place == 0:
        return float(np.nextafter(values[0], -np.inf))
    return float(values[-1]) if place == len(values) else float((values[place - 1] + values[place]) / 2)


def _log_ratio(observed: NDArray[np.float64], shadows: Shadows) -> NDArray[np.float64]:
    """Return the log likelihood ratio of what models give, (models, examples)."""
    several = [of.sum(axis=0) for of in (shadows.member, ~shadows.member)]
    inside, outside = (
        np.where(of, shadows.statistic, 0.0).sum(axis=0) / count
        for of, count in zip((shadows.member, ~shadows.member), several, strict=True)
    )
    squares = (shadows.statistic - np.where(shadows.member, inside, outside)) ** 2
    free = np.full(len(shadows.group), len(squares) - 2)
    variance = np.maximum(_total(squares.sum(axis=0), shadows) / _total(free, shadows), _LEAST_VARIANCE)
    apart = inside - outside
    usual = _total(apart, shadows) / _total(np.ones_like(apart), shadows)
    noise = variance * (1 / several[0] + 1 / several[1])
    spread = _total((apart - usual) ** 2, shadows) / np.maximum(_total(np.ones_like(apart), shadows) - 1, 1)
    trusted = np.maximum(1 - noise / np.maximum(spread, _LEAST_VARIANCE), 0.0)
    difference = usual + trusted * (apart - usual)
    return np.asarray(difference / variance * (observed - (inside + outside) / 2))


def _total(values: NDArray[Any], shadows: Shadows) -> NDArray[np.float64]:
    """Return the sum of values over the group of each example, (examples,)."""
    return np.asarray(np.bincount(shadows.group, values)[shadows.group], dtype=np.float64)
