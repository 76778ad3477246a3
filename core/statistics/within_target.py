"""How well scores rank models about one target at a time."""

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import LEVEL, UNKNOWN, Interval, uncertain


def auc_within(member: NDArray[np.bool_], score: NDArray[np.float64]) -> Interval:
    """Return the area under the ROC curve of one target's scores, averaged over the targets, with its 95 % interval.

    In Mahloujifar et al. 2021, Figure 1, the target is fixed, and only the model is drawn. Scores of several targets
    that are ranked together mix in what differs between targets: a text that every model finds unusual scores high
    whether it is in or out, and hides the leak.

    The variance is the sum of two jackknives, over models and over targets, since decisions that share one are not
    independent. The interval is Student's on the scale of log odds, with Satterthwaite's degrees of freedom. Targets
    that are in all models, or in none, say nothing and are left out.

    Args:
        member: (models, targets) the secret bits.
        score: (models, targets) higher means more likely a member.
    """
    from scipy.special import expit, logit
    from scipy.stats import t

    counted = [_compared(*column) for column in zip(member.T, score.T, strict=True)]
    wins, pairs, wins_without, pairs_without = (np.array(each) for each in zip(*counted, strict=True))
    both = pairs > 0
    if not both.any():
        return UNKNOWN
    areas = wins[both] / pairs[both]
    value, targets, models = float(areas.mean()), len(areas), len(member)
    if not 0 < value < 1:
        return Interval(value, *uncertain(value, value, min(targets, models)))
    if targets == 1:
        return Interval(value)
    with np.errstate(invalid="ignore"):
        without_each_model = np.nanmean(wins_without[both] / pairs_without[both], axis=0)
    without_each_target = (areas.sum() - areas) / (targets - 1)
    counts = np.array([models, targets])
    variances = (counts - 1) * np.array([np.var(without_each_model), np.var(without_each_target)])
    variance = variances.sum()
    if not variance:
        return Interval(value, *uncertain(value, value, min(targets, models)))
    freedom = variance**2 / (variances**2 / (counts - 1)).sum()
    reach = t.ppf((1 + LEVEL) / 2, freedom) * np.sqrt(variance) / (value * (1 - value))
    return Interval(value, float(expit(logit(value) - reach)), float(expit(logit(value) + reach)))


def _compared(
    member: NDArray[np.bool_], score: NDArray[np.float64]
) -> tuple[float, float, NDArray[np.float64], NDArray[np.float64]]:
    """Compare each model with a target with each model without it.

    Args:
        member: (models,) which models have the target.
        score: (models,) their scores.

    Returns:
        Wins, a tie being half a one, and pairs; and both without each model in turn, (models,).
    """
    pairs = (member[:, None] & ~member).astype(np.float64)
    wins = (np.sign(score[:, None] - score) / 2 + 0.5) * pairs
    without = [each.sum() - each.sum(axis=0) - each.sum(axis=1) for each in (wins, pairs)]
    return float(wins.sum()), float(pairs.sum()), without[0], without[1]
