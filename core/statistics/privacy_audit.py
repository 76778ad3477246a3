"""Audits of differential privacy: what an adversary's guesses about membership disprove."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

_CERTAINTY = 0.95
_LARGEST = 50.0
_PRECISION = 1e-3
_SHARE = 4
"""The audit guesses the top and bottom quarter of scores and abstains on the rest."""


def extremes(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the units that an audit calls members and non-members: the quarters with highest and lowest scores.

    Args:
        scores: (units,) of one model.
    """
    order = np.argsort(scores, kind="stable")
    quarter = len(scores) // _SHARE
    return order[len(order) - quarter :], order[:quarter]


def guesses(members: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[int, int]:
    """Return how many guesses of an audit are right, and how many it makes; both arguments are (models, units)."""
    right = guessed = 0
    for bits, of_model in zip(members, scores, strict=True):
        highest, lowest = extremes(of_model)
        right += int(bits[highest].sum()) + int((~bits[lowest]).sum())
        guessed += len(highest) + len(lowest)
    return right, guessed


def epsilon_at_least(
    members: NDArray[np.bool_], scores: NDArray[np.float64], delta: float, *, gaussian: bool = False, among: int = 1
) -> tuple[float, float]:
    """Return a lower bound on the epsilon of training from the number of right guesses, at 95% confidence.

    The audit of Steinke, Nasr and Jagielski 2023 (theorem 5.2, appendix D): if independent fair coins decide which
    units are trained on, then the number of right guesses among r is hardly larger than that of r coins with heads at
    ``e^ε / (1 + e^ε)``. Guesses are made where scores are extreme, independently of the bits. Here a unit that is out
    is replaced by others, which accountants count as two changes; the epsilon returned is that of one change, and is
    comparable with an accountant's.

    With ``gaussian``, the audit of Mahloujifar, Melis and Chaudhuri 2024 (algorithm 3): it disproves that training is
    as private as Gaussian noise of this epsilon and delta. DP-SGD in one step is such noise; many steps on random
    batches are close to it where the noise is not small. It can find more in the same guesses.

    Args:
        members: (models, units) the secret bits, independent fair coins.
        scores: (models, units) of an adversary, higher for members.
        delta: Probability of failure.
        gaussian: Whether training is taken to be as private as one Gaussian step.
        among: Adversaries whose bounds on one training are looked at. With 95% confidence all of them hold, so that
            the largest is one (Bonferroni).

    Returns:
        The bound, 0 when nothing is disproved; and the bound if every guess had been right.
    """
    right, guessed = guesses(members, scores)
    doubt = (1 - _CERTAINTY) / among
    bound, most = (_largest(members.size, guessed, count, delta, gaussian, doubt) for count in (right, guessed))
    return bound, most


@cache
def _largest(units: int, guessed: int, right: int, delta: float, gaussian: bool, doubt: float) -> float:
    """Return the largest epsilon that the number of right guesses disproves with a delta, 0 where it disproves none."""
    disproves = _disproves_gaussian if gaussian else _disproves_any
    low, high = 0.0, _LARGEST
    while high - low > _PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if disproves(units, guessed, right, middle, delta, doubt) else (low, middle)
    return low


def _disproves_any(units: int, guessed: int, right: int, epsilon: float, delta: float, doubt: float) -> bool:
    """Tell whether this many right guesses are at most as likely as the doubt, under an epsilon and a delta."""
    return bool(guessed) and _chance(units, guessed, right, epsilon, delta) <= doubt


def _disproves_gaussian(units: int, guessed: int, right: int, epsilon: float, delta: float, doubt: float) -> bool:
    """Tell whether this many right guesses are at most as likely as the doubt, under Gaussian noise.

    ``wrong`` and ``correct`` bound from below the probability, averaged over units, that a guess is made and is wrong
    or correct while at least ``number`` guesses are correct, were that last event as likely as the doubt.
    """
    from scipy.special import ndtr, ndtri

    shift = 2 * _shift(epsilon, delta)  # of two changes
    correct, wrong = (doubt * count / units for count in (right, guessed - right))
    for number in range(right - 1, -1, -1):
        least = max(wrong, float(ndtr(ndtri(min(correct, 1.0)) - shift)))
        if least == wrong:
            break
        correct, wrong = correct + number / (guessed - number) * (least - wrong), least
    return correct + wrong > guessed / units


@cache
def _shift(epsilon: float, delta: float) -> float:
    """Return the sensitivity, in standard deviations, of the Gaussian noise with an epsilon and a delta.

    The noise is that of the analytic Gaussian mechanism (Balle and Wang 2018, theorem 8).
    """
    from scipy.optimize import brentq
    from scipy.special import log_ndtr, ndtr

    def failing(shift: float) -> float:
        middle = epsilon / shift
        return float(ndtr(shift / 2 - middle) - np.exp(epsilon + log_ndtr(-shift / 2 - middle)))

    return float(brentq(lambda shift: failing(shift) - delta, 1e-9, 2 * (_LARGEST + 10)))


def _chance(units: int, guessed: int, right: int, epsilon: float, delta: float) -> float:
    """Return a bound on the probability of at least this number of right guesses under an epsilon."""
    from scipy.special import expit
    from scipy.stats import binom

    heads = expit(2 * epsilon)
    probability = binom.sf(right - 1, guessed, heads)
    within = np.cumsum(binom.pmf(np.arange(right - 1, -1, -1), guessed, heads)) / np.arange(1, right + 1)
    failing = 2 * units * delta * (1 + np.exp(epsilon)) * within.max(initial=0.0)
    return float(min(probability + failing, 1.0))
