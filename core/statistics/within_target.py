"""How well scores rank models about one target at a time, and how much worse they rank all targets together."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import LEVEL, UNKNOWN, Interval, difference

FEWEST_TARGETS = 8
"""With fewer targets than this, figures get no interval: so few do not represent others."""
_FEWEST_MODELS = 3
"""Nor do they with fewer models: of two, none is left to compare one with."""

_Jackknifed: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A figure of all models, followed by those without each, (1 + models,); and those without each target, (targets,)."""


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
    """Return how scores rank models about one target at a time, with 95 % intervals.

    In Mahloujifar et al. 2021, Figure 1, the target is fixed, and only the model is drawn. Scores of several targets
    that are ranked together mix in what differs between targets: a text that every model finds unusual scores high
    whether it is in or out, and hides the leak.

    The variance is the sum of two jackknives, over models and over targets, since decisions that share one are not
    independent; it counts what is in neither twice, and is then too large rather than too small. Intervals of areas are
    Student's, with Satterthwaite's degrees of freedom, on the scale of log odds. Where every pair is ranked rightly,
    the lower end is that of scores with one model ranked last. The gain, which is skewed as its areas are, takes its
    ends from theirs. Intervals over ten targets are too narrow where few targets leak and the others do not at all.

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
    together, pooled = _pooled(member, score)
    alone, targets = _averaged(wins, pairs), member.shape[1]
    if targets < FEWEST_TARGETS or len(member) < _FEWEST_MODELS:
        return Ranking(Interval(alone[0][0]), Interval(alone[0][0] - together[0]), targets)
    area, of_all = _area(wins, pairs), _on_log_odds(_student((together, pooled)))
    return Ranking(area, difference(area, of_all, correlation=_correlation(alone, (together, pooled))), targets)


def _area(wins: NDArray[np.float64], pairs: NDArray[np.float64]) -> Interval:
    """Return the area averaged over targets, with its interval, from counts without each model, (targets, models)."""
    area = _student(_averaged(wins, pairs))
    if area.value in (0.0, 1.0):
        lost = 2 / (wins.shape[1] - 1)  # of a target's pairs, by one model out of the half that have it
        near = _area(np.vstack([abs(wins[0] - lost * pairs[0]), wins[1:]]), pairs)
        return Interval(area.value, *((near.low, 1.0) if area.value else (0.0, near.high)))
    return _on_log_odds(area)


def _on_log_odds(area: Interval) -> Interval:
    """Return an area whose interval is symmetric with it symmetric on the scale of log odds instead."""
    from scipy.special import expit, logit

    if area.low == area.high:
        return area
    reach = (area.high - area.value) / (area.value * (1 - area.value))
    low, high = expit(logit(area.value) + np.array([-reach, reach]))
    return Interval(area.value, float(low), float(high))


def _averaged(wins: NDArray[np.float64], pairs: NDArray[np.float64]) -> _Jackknifed:
    """Return the mean area of all models and without each of them, and without each target."""
    with np.errstate(invalid="ignore"):
        areas = wins / pairs
    of_all_models = areas[:, 0]
    without_each = (of_all_models.sum() - of_all_models) / max(len(of_all_models) - 1, 1)
    known = ~np.isnan(areas)
    with np.errstate(invalid="ignore"):
        means = np.where(known, areas, 0).sum(axis=0) / known.sum(axis=0)
    return means, without_each


def _student(figure: _Jackknifed) -> Interval:
    """Return a figure with its interval."""
    from scipy.special import stdtrit

    by_model, by_target = figure
    value, variances = float(by_model[0]), _covariances(figure, figure)
    if not (variance := variances.sum()):
        return Interval(value, value, value)
    freedom = variance**2 / (variances**2 / (np.array([len(by_model) - 1, len(by_target)]) - 1)).sum()
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2) * np.sqrt(variance))
    return Interval(value, value - reach, value + reach)


def _correlation(first: _Jackknifed, second: _Jackknifed) -> float:
    """Return the correlation of two figures of the same decisions; 0 where one of them does not vary."""
    common, *own = (_covariances(*pair).sum() for pair in ((first, second), (first, first), (second, second)))
    return float(np.clip(common / np.prod(own) ** 0.5, -1, 1)) if all(own) else 0.0


def _covariances(first: _Jackknifed, second: _Jackknifed) -> NDArray[np.float64]:
    """Return the jackknives' covariances of two figures, between models and between targets."""
    without_each = (first[0][1:], second[0][1:]), (first[1], second[1])
    return np.array(
        [
            (len(one) - 1) * np.nanmean((one - np.nanmean(one)) * (other - np.nanmean(other)))
            for one, other in without_each
        ]
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


def _pooled(member: NDArray[np.bool_], score: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the AUC of all decisions ranked together.

    Returns:
        That of all models and without each of them, (1 + models,); and without each target, (targets,). NaN where all
        or none of the decisions are about members.
    """
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
    alone = total / 2 / (member.sum() * (~member).sum())
    return np.append(alone, areas[0]), areas[1]


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
