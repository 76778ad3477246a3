"""Decisions about groups of probes that are all members or all not, by the mean of their scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import UNKNOWN, Interval, middle, uncertain

PARTITIONS = 20
"""Random partitions of the probes into groups, over which figures are averaged."""
_OF_RESAMPLE = 10
"""The same of each resample."""


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
    partitions of the probes into groups; the interval draws the probes of each stratum again, with replacement. Each
    resample is averaged over partitions, too, whose own spread is no part of the interval. It reaches the value: near 1
    most resamples lie below, as they repeat scores. Where all resamples are 0 or 1, it is Wilson's for as many
    decisions as a partition has groups; of the area, as it has of the fewer kind.

    Args:
        strata: Whether the probes of each are members, and their scores.
        size: Probes of a group.
        threshold: Above which a group is taken for members.
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

    def measured(drawn: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return accuracy and AUC, (2, draws), of a random partition of each draw of the strata, (draws, scores)."""
        inside, outside = (
            np.concatenate(
                [
                    _means(rng.permuted(scores, axis=1), size)
                    for (member, _), scores in zip(large, drawn, strict=True)
                    if member == side
                ],
                axis=1,
            )
            for side in (True, False)
        )
        right = ((inside > threshold).mean(axis=1) + (outside <= threshold).mean(axis=1)) / 2
        ranks = rankdata(np.concatenate([inside, outside], axis=1), axis=1)[:, : inside.shape[1]]
        above = ranks.sum(axis=1) - inside.shape[1] * (inside.shape[1] + 1) / 2
        return np.stack([right, above / (inside.shape[1] * outside.shape[1])])

    values = measured([np.tile(scores, (PARTITIONS, 1)) for _, scores in large]).mean(axis=1).tolist()
    if not resamples:
        return Grouped(Interval(values[0]), Interval(values[1]), members, nonmembers)
    again = [scores[rng.integers(len(scores), size=(resamples, len(scores)))] for _, scores in large]
    drawn = np.mean([measured(again) for _ in range(_OF_RESAMPLE if size > 1 else 1)], axis=0)
    counts = members + nonmembers, min(members, nonmembers)
    accuracy, auc = (
        Interval(value, *_ends(value, row, count)) for value, row, count in zip(values, drawn, counts, strict=True)
    )
    return Grouped(accuracy, auc, members, nonmembers)


def _ends(value: float, drawn: NDArray[np.float64], count: int) -> tuple[float, float]:
    low, high = middle(drawn)
    return uncertain(low, high, count) if low in (0, 1) else (min(low, value), max(high, value))


def _means(scores: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the means of successive groups of scores, (draws, groups), without the remainder."""
    groups = scores.shape[1] // size
    return np.asarray(scores[:, : groups * size].reshape(len(scores), groups, size).mean(axis=2))
