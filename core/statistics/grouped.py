"""Decisions about groups of probes that are all members or all not, by the mean of their scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import UNKNOWN, Interval, middle

PARTITIONS = 20
"""Random partitions of the probes into groups, over which figures are averaged."""


@dataclass(frozen=True)
class Grouped:
    """How well membership of groups is inferred.

    Attributes:
        accuracy: Mean of the shares of right guesses about groups of members and about others.
        auc: Area under the ROC curve of the groups' mean scores.
        members: Groups of members in a partition.
        nonmembers: Groups of non-members.
    """

    accuracy: Interval
    auc: Interval
    members: int = 0
    nonmembers: int = 0


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

    large = [(member, scores) for member, scores in strata if len(scores) >= size]
    if not large:
        return Grouped(UNKNOWN, UNKNOWN)
    members, nonmembers = (
        sum(len(scores) // size for member, scores in large if member == side) for side in (True, False)
    )

    def measured(draw: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return accuracy and AUC, (2, draws), of strata that are drawn as (draws, scores)."""
        inside, outside = (
            np.concatenate([_means(draw(scores), size) for member, scores in large if member == side], axis=1)
            for side in (True, False)
        )
        right = ((inside > threshold).mean(axis=1) + (outside <= threshold).mean(axis=1)) / 2
        ranks = rankdata(np.concatenate([inside, outside], axis=1), axis=1)[:, : inside.shape[1]]
        above = ranks.sum(axis=1) - inside.shape[1] * (inside.shape[1] + 1) / 2
        return np.stack([right, above / (inside.shape[1] * outside.shape[1])])

    values = measured(lambda scores: rng.permuted(np.tile(scores, (PARTITIONS, 1)), axis=1)).mean(axis=1).tolist()
    if not resamples:
        return Grouped(Interval(values[0]), Interval(values[1]), members, nonmembers)
    drawn = measured(lambda scores: scores[rng.integers(len(scores), size=(resamples, len(scores)))])
    accuracy, auc = (Interval(value, *middle(row)) for value, row in zip(values, drawn, strict=True))
    return Grouped(accuracy, auc, members, nonmembers)


def _means(scores: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the means of successive groups of scores, (draws, groups), without the remainder."""
    groups = scores.shape[1] // size
    return np.asarray(scores[:, : groups * size].reshape(len(scores), groups, size).mean(axis=2))
