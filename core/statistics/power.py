"""Power of an attack run: the smallest leak that its decisions would detect with a given probability."""

import math
from itertools import count

from core.result import Estimate
from core.statistics.intervals import LEVEL, uncertain
from core.statistics.wording.units import Scale, scale

POWER = 0.9
"""Probability of detecting a leak, the statistical power."""


def least_detectable(estimate: Estimate) -> float | None:
    """Return the smallest true figure whose 95% interval would lie above chance with probability `POWER`.

    Decisions that share models, documents or victims carry less information than as many independent ones. So each
    count is first reduced to the independent decisions whose interval is as wide as the one that was measured.

    A share is tested by the exact binomial test, an area under the ROC curve by its standard error (Hanley and McNeil
    1982), any other figure by the spread that its interval shows, taken to be the same for a weaker leak. That holds
    for a leak alike for all targets. A leak of the same mean in few targets spreads decisions more, and is detected
    less often. None where no leak could have been detected, or there is no chance level.
    """
    ends = (estimate.value, estimate.low, estimate.high)
    if estimate.chance is None or not 0 <= estimate.chance < 1 or not all(map(math.isfinite, ends)):
        return None
    if estimate.low >= estimate.high:
        return None
    if scale(estimate.unit) is Scale.AREA and estimate.members and estimate.nonmembers:
        return _area(estimate, estimate.members, estimate.nonmembers)
    if scale(estimate.unit) is Scale.SHARE and estimate.n and estimate.chance > 0:
        return least_share(estimate.chance, int(independent(estimate)))
    return estimate.chance + (_normal((1 + LEVEL) / 2) + _normal(POWER)) * _error(estimate)


def independent(estimate: Estimate) -> float:
    """Return how many independent decisions have a Wilson interval as wide as that of a share; at most its own.

    >>> share = Estimate(value=0.5, low=0.4, high=0.6, chance=0.5, unit="share of decisions", decisions=400)
    >>> round(independent(share))
    92
    """
    z, spread = _normal((1 + LEVEL) / 2) ** 2, 4 * estimate.value * (1 - estimate.value)
    half = (estimate.high - estimate.low) / 2
    # half (n + z) = sqrt(z (n spread + z)) / 2, squared and solved for n
    middle = z * (spread / (4 * half**2) - 2) / 2
    count = middle + math.sqrt(max(middle**2 + z**2 * (1 / (4 * half**2) - 1), 0.0))
    return min(max(count, 1.0), float(estimate.n))


def least_share(chance: float, decisions: int) -> float | None:
    """Return the smallest share that the exact binomial test tells from chance with probability `POWER`.

    >>> round(least_share(0.5, 100), 3), least_share(0.5, 4)
    (0.666, None)
    """
    from scipy.stats import beta, binom

    needed = int(binom.isf((1 - LEVEL) / 2, decisions, chance)) + 1
    return None if needed > decisions else float(beta.ppf(POWER, needed, decisions - needed + 1))


def fewest_units() -> int:
    """Return the fewest targets, or other independent units, that can show a share to lie above a chance of 50%.

    Below that, even decisions that are all right have an interval that holds chance.

    >>> fewest_units()
    4
    """
    return next(units for units in count(1) if uncertain(1.0, 1.0, units)[0] > 0.5)


def _area(estimate: Estimate, members: int, nonmembers: int) -> float | None:
    from scipy.optimize import brentq

    most = 1 - 1 / (2 * min(members, nonmembers) + 2)
    measured = min(max(estimate.value, 1 - most), most)
    shared = max(_error(estimate) ** 2 / area_variance(measured, members, nonmembers), 1.0)

    def missing(area: float) -> float:
        by_chance, by_leak = (
            math.sqrt(shared * area_variance(true_area, members, nonmembers))
            for true_area in (estimate.chance or 0.5, area)
        )
        reach = _normal((1 + LEVEL) / 2) * by_chance + _normal(POWER) * by_leak
        return area - (estimate.chance or 0.5) - reach

    return float(brentq(missing, estimate.chance or 0.5, most)) if missing(most) > 0 else None


def area_variance(area: float, members: int, nonmembers: int) -> float:
    """Return the variance of an area under the ROC curve of independent decisions (Hanley and McNeil 1982, eq. 2).

    >>> round(area_variance(0.5, 50, 50) ** 0.5, 3)
    0.058
    """
    both_members, both_nonmembers = area / (2 - area), 2 * area**2 / (1 + area)
    spread = (
        area * (1 - area) + (members - 1) * (both_members - area**2) + (nonmembers - 1) * (both_nonmembers - area**2)
    )
    return spread / (members * nonmembers)


def _error(estimate: Estimate) -> float:
    """Return the standard error that an interval shows."""
    return (estimate.high - estimate.low) / 2 / _normal((1 + LEVEL) / 2)


def _normal(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))
