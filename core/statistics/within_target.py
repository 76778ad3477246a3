"""How well scores rank models about one target at a time, and how much worse they rank all targets together."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.statistics.crossed import Without, interval
from core.statistics.intervals import UNKNOWN, Interval, difference, uncertain

FEWEST_TARGETS = 8
"""With fewer targets than this, figures get no interval: so few do not represent others."""
_FEWEST_MODELS = 3
"""Nor do they with fewer models: of two, none is left to compare one with."""
_ROUNDS = 50
"""Times that levels of models and of targets are fitted, each to the other."""

_Figure: TypeAlias = tuple[float, Without]
"""A figure, and the same without each model, each target, and each decision."""


@dataclass(frozen=True)
class Ranking:
    """The ranking of models about one target at a time.

    Attributes:
        auc: Area under the ROC curve of one target's scores, averaged over targets.
        gain: `auc` minus the AUC of the scores of all targets together.
        targets: Number of targets that are in some models and out of others; only these count.
    """

    auc: Interval
    gain: Interval
    targets: int


def within_targets(member: NDArray[np.bool_], score: NDArray[np.float64]) -> Ranking:
    """Return how scores rank models about one target at a time, with 95% intervals.

    In Mahloujifar et al. 2021, Figure 1, the target is fixed, and only the model is drawn. Scores of several targets
    that are ranked together mix in what differs between targets: a text that every model finds unusual scores high
    whether it is in or out, and hides the leak.

    Intervals of areas are those of `core.statistics.crossed`. Where every pair is ranked rightly, the lower end is that
    of scores with one model ranked last. The gain, which is skewed as its areas are, takes its ends from theirs.
    Intervals over ten targets are too narrow where few targets leak and the others do not.

    Args:
        member: (models, targets) the secret bits.
        score: (models, targets) higher means more likely a member.

    Raises:
        ValueError: A score is not a number.
    """
    if np.isnan(score).any():
        raise ValueError("within_targets() takes a score of every model for every target")
    both = member.any(axis=0) & ~member.all(axis=0)
    member, score = member[:, both], score[:, both]
    if not both.any():
        return Ranking(UNKNOWN, UNKNOWN, 0)
    wins, pairs = (np.array(counts) for counts in zip(*map(_compared, member.T, score.T), strict=True))
    one_at_a_time, together = _averaged(wins, pairs), _pooled(member, score)
    (value, _), (of_all, without), targets = one_at_a_time, together, member.shape[1]
    if targets < FEWEST_TARGETS or len(member) < _FEWEST_MODELS:
        return Ranking(Interval(value), Interval(value - of_all), targets)
    area = _area(wins, pairs)
    gain = difference(area, interval(of_all, without), correlation=_correlation(one_at_a_time[1], without))
    return Ranking(area, gain, targets)


def less_levels(member: NDArray[np.bool_], score: NDArray[np.float64]) -> Interval:
    """Return the AUC of all targets together, each score less the level of its model, with its 95% interval.

    The level of a model is the mean, over the other targets that are out of it, of the score less the level of the
    target: an estimate, with the bits known, of what an adversary learns that asks the same model about documents known
    to be out (Zarifzadeh et al. 2024). With few targets, many such documents would tell it better. Both kinds of levels
    are fitted to the scores of targets that are out.

    Args:
        member: (models, targets) the secret bits.
        score: (models, targets) higher means more likely a member.

    Returns:
        Unknown where no model is left; without an interval for fewer than `FEWEST_TARGETS`. Models that fewer than two
        targets are out of do not count, nor do targets that are in all models or in none. Where all pairs are ranked
        rightly, Wilson's for as many decisions as models or targets, whichever are fewer.
    """
    both = member.any(axis=0) & ~member.all(axis=0)
    member, score = member[:, both], score[:, both]
    known = (~member).sum(axis=1) > 1
    member, score = member[known], score[known]
    if member.all(axis=0).any() or not member.any():
        return UNKNOWN
    others = (~member).sum(axis=1, keepdims=True) - ~member
    out, usual = np.ma.array(score, mask=member), np.zeros(member.shape[1])  # usual: the level of each target
    for _ in range(_ROUNDS):
        usual = (out - (out - usual).mean(axis=1)[:, None]).mean(axis=0).data
    outside = np.where(member, 0.0, score - usual)
    value, without = _pooled(member, score - (outside.sum(axis=1, keepdims=True) - outside) / others)
    if member.shape[1] < FEWEST_TARGETS or len(member) < _FEWEST_MODELS:
        return Interval(value)
    if value in (0.0, 1.0):
        return Interval(value, *uncertain(value, value, min(member.shape)))
    return interval(value, without)


def _area(wins: NDArray[np.float64], pairs: NDArray[np.float64]) -> Interval:
    """Return the area averaged over targets, with its interval, from counts without each model, (targets, models)."""
    value, without = _averaged(wins, pairs)
    if value in (0.0, 1.0):
        lost = 2 / (wins.shape[1] - 1)  # of a target's pairs, by one model out of the half that have it
        near = _area(np.vstack([abs(wins[0] - lost * pairs[0]), wins[1:]]), pairs)
        return Interval(value, *((near.low, 1.0) if value else (0.0, near.high)))
    return interval(value, without)


def _averaged(wins: NDArray[np.float64], pairs: NDArray[np.float64]) -> _Figure:
    """Return the mean area over targets."""
    with np.errstate(invalid="ignore"):
        areas = wins / pairs
    of_all_models = areas[:, 0]
    known = ~np.isnan(areas)
    with np.errstate(invalid="ignore"):
        means = np.where(known, areas, 0).sum(axis=0) / known.sum(axis=0)
    value, without_model = float(means[0]), means[1:]
    without_target = (of_all_models.sum() - of_all_models) / max(len(of_all_models) - 1, 1)
    without_decision = value + (areas[:, 1:] - areas[:, :1]) / len(areas)
    return value, Without(without_model, without_target, without_decision.ravel())


def _correlation(first: Without, second: Without) -> float:
    """Return the correlation of two figures of the same decisions; 0 where one of them does not vary."""
    common, *variances = (_covariance(*pair) for pair in ((first, second), (first, first), (second, second)))
    return float(np.clip(common / np.prod(variances) ** 0.5, -1, 1)) if all(variances) else 0.0


def _covariance(first: Without, second: Without) -> float:
    """Return the sum of the jackknife's covariances of two figures between models and between targets."""
    pairs = (first.model, second.model), (first.target, second.target)
    return float(
        sum((len(one) - 1) * np.nanmean((one - np.nanmean(one)) * (other - np.nanmean(other))) for one, other in pairs)
    )


def _compared(member: NDArray[np.bool_], score: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compare each model that has a target with each that has not, (models,) both.

    Returns:
        Wins, a tie being half a one, and pairs: of all models, then without each model in turn, (1 + models,).
    """
    pairs = (member[:, None] & ~member).astype(np.float64)
    wins = (np.sign(score[:, None] - score) / 2 + 0.5) * pairs
    counted = [
        np.append(matrix.sum(), matrix.sum() - matrix.sum(axis=0) - matrix.sum(axis=1)) for matrix in (wins, pairs)
    ]
    return counted[0], counted[1]


def _pooled(member: NDArray[np.bool_], score: NDArray[np.float64]) -> _Figure:
    """Return the AUC of all decisions ranked together; NaN where all or none of them are about members."""
    wins = _wins(member, score)
    total = wins[member].sum()
    areas = []
    for of_each, scores, members in ((wins, score, member), (wins.T, score.T, member.T)):
        within = [_wins(*line)[line[0]].sum() for line in zip(members, scores, strict=True)]
        # A pair of two decisions that are both left out is in the wins of either.
        won = total - of_each.sum(axis=1) + within
        inside, outside = members.sum() - members.sum(axis=1), (~members).sum() - (~members).sum(axis=1)
        with np.errstate(invalid="ignore"):
            areas.append(won / 2 / (inside * outside))
    inside, outside = member.sum(), (~member).sum()
    value = float(total / 2 / (inside * outside))
    with np.errstate(divide="ignore", invalid="ignore"):
        without_decision = (total - wins) / 2 / np.where(member, (inside - 1) * outside, inside * (outside - 1))
    without_model, without_target = areas
    return value, Without(without_model, without_target, without_decision.ravel())


def _wins(member: NDArray[np.bool_], score: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return in how many pairs of a member and a non-member each decision is, a win of the member.

    Returns:
        Like ``score``, each win counted twice, and each tie once.
    """
    inside, outside = np.sort(score[member]), np.sort(score[~member])
    wins = np.empty(score.shape, np.int64)
    wins[member] = sum(np.searchsorted(outside, score[member], side) for side in ("left", "right"))
    beaten = sum(np.searchsorted(inside, score[~member], side) for side in ("left", "right"))
    wins[~member] = 2 * len(inside) - beaten
    return wins
