"""Decisions about groups of probes that are all members or all not, by the mean of their scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.statistics import decisions
from core.statistics.clustered import Interval

_PARTITIONS = 20
_UNKNOWN = Interval(float("nan"), float("nan"), float("nan"))


@dataclass(frozen=True)
class Grouped:
    """How well groups are told.

    Attributes:
        accuracy: Mean of the shares of right guesses about groups of members and about others.
        auc: Area under the ROC curve of the groups' mean scores.
        members: Groups of members in a partition.
        others: Groups of non-members.
    """

    accuracy: Interval
    auc: Interval
    members: int = 0
    others: int = 0


def decide(
    strata: Sequence[tuple[bool, NDArray[np.float64]]],
    size: int,
    threshold: float,
    rng: np.random.Generator,
    resamples: int = 0,
) -> Grouped:
    """Decide about groups of one stratum each.

    Groups share no probe, and strata with fewer probes than a group make none. The value is the mean over random
    partitions of the probes into groups; the interval draws the probes of each stratum again, with replacement.

    Args:
        strata: Whether the probes of each are members, and their scores.
        size: Probes of a group.
        threshold: Above which a group is called members.
        rng: Source of partitions and resampling.
        resamples: For the interval; none without.
    """
    from scipy.stats import rankdata

    large = [(member, values) for member, values in strata if len(values) >= size]
    if not large:
        return Grouped(_UNKNOWN, _UNKNOWN)
    groups = tuple(sum(len(values) // size for member, values in large if member == side) for side in (True, False))

    def told(draw: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return accuracy and AUC, (2, draws), of strata that are drawn as (draws, values)."""
        inside, outside = (
            np.concatenate([_means(draw(values), size) for member, values in large if member == side], axis=1)
            for side in (True, False)
        )
        right = ((inside > threshold).mean(axis=1) + (outside <= threshold).mean(axis=1)) / 2
        ranks = rankdata(np.concatenate([inside, outside], axis=1), axis=1)[:, : inside.shape[1]]
        above = ranks.sum(axis=1) - inside.shape[1] * (inside.shape[1] + 1) / 2
        return np.stack([right, above / (inside.shape[1] * outside.shape[1])])

    values = told(lambda own: rng.permuted(np.tile(own, (_PARTITIONS, 1)), axis=1)).mean(axis=1)
    if not resamples:
        accuracy, auc = (Interval(float(value), float("nan"), float("nan")) for value in values)
        return Grouped(accuracy, auc, *groups)
    drawn = told(lambda own: own[rng.integers(len(own), size=(resamples, len(own)))])
    ends = np.quantile(drawn, [(1 - decisions.LEVEL) / 2, (1 + decisions.LEVEL) / 2], axis=1).T
    accuracy, auc = (Interval(float(value), *map(float, own)) for value, own in zip(values, ends, strict=True))
    return Grouped(accuracy, auc, *groups)


def _means(drawn: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the means of so many values after so many others, (draws, groups); what is left at the end is left out."""
    groups = drawn.shape[1] // size
    return np.asarray(drawn[:, : groups * size].reshape(len(drawn), groups, size).mean(axis=2))
