"""Differential privacy: the guarantee of training, the noise it takes, and audits that disprove it."""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import Incompatible

DELTA = 1e-5
"""Usual probability of failure."""

_CERTAINTY = 0.95
_LARGEST = 50.0
_SHARE = 4
"""The audit guesses the top and bottom quarter of scores and abstains on the rest."""


@dataclass(frozen=True)
class Promise:
    """The guarantee of differentially private training for each document (Dwork and Roth 2014, definition 2.4).

    Attributes:
        epsilon: Every output is at most e^ε times likelier with a document than without it, and vice versa.
        delta: Probability with which that may fail.
        norm: Length to which the gradient of each document is clipped.
        words: Vocabulary of the model, chosen independently of the documents.
    """

    epsilon: float
    delta: float
    norm: float
    words: tuple[str, ...]

    def noise(self, documents: int, batch: int, steps: int) -> float:
        """Return the standard deviation of the noise in a step, in norms.

        The accountant is that of Rényi differential privacy for steps whose documents are drawn independently, each
        with probability ``batch / documents`` (Mironov, Talwar and Zhang 2019).

        Args:
            documents: Number of training documents.
            batch: Documents that a step draws on average.
            steps: Steps of the whole training.

        Raises:
            Incompatible: The guarantee cannot be met, or is empty.
        """
        from opacus.accountants.utils import get_noise_multiplier

        if self.delta * documents > 1:
            raise Incompatible(
                f"With a delta of {self.delta:g}, training that publishes one of {documents} documents would count as "
                f"private. Use less than 1 / {documents}, {0.1 / documents:.0e} for example."
            )
        if batch > documents:
            raise Incompatible(f"A step cannot draw {batch} of {documents} documents. A batch of {documents} would do.")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # bounds far from the solution are loose
                noise = get_noise_multiplier(
                    target_epsilon=self.epsilon,
                    target_delta=self.delta,
                    sample_rate=batch / documents,
                    steps=steps,
                    accountant="rdp",
                    epsilon_tolerance=1e-3 * self.epsilon,
                )
        except ValueError as refused:
            raise Incompatible(
                f"The accountant finds no noise that keeps epsilon at {self.epsilon:g} in {steps} steps of {batch} out "
                f"of {documents} documents. Use a larger epsilon or fewer epochs."
            ) from refused
        return float(noise)


def steps_per_epoch(documents: int, batch: int) -> int:
    """Return the number of steps that draw each document once on average."""
    return max(round(documents / batch), 1)


def extremes(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the units that an audit calls members and non-members: the quarters with highest and lowest scores.

    Args:
        scores: (units,) of one model.
    """
    order = np.argsort(scores, kind="stable")
    quarter = len(scores) // _SHARE
    return order[len(order) - quarter :], order[:quarter]


def epsilon_at_least(members: NDArray[np.bool_], scores: NDArray[np.float64], delta: float) -> tuple[float, float]:
    """Return a lower bound on the epsilon of training from the number of right guesses, at 95 % confidence.

    The audit of Steinke, Nasr and Jagielski 2023 (theorem 5.2, appendix D): if independent fair coins decide which
    units are trained on, then the number of right guesses among r is hardly larger than that of r coins with heads at
    ``e^ε / (1 + e^ε)``. Guesses are made where scores are extreme, independently of the bits. Here a unit that is out
    is replaced by others, which accountants count as two changes; the epsilon returned is that of one change, and is
    comparable with an accountant's.

    Args:
        members: (models, units) the secret bits, independent fair coins.
        scores: (models, units) of an adversary, higher for members.
        delta: Probability of failure.

    Returns:
        The bound, 0 when nothing is disproved; and the bound if every guess had been right.
    """
    right = guessed = 0
    for bits, of_model in zip(members, scores, strict=True):
        highest, lowest = extremes(of_model)
        right += int(bits[highest].sum()) + int((~bits[lowest]).sum())
        guessed += len(highest) + len(lowest)
    return _disproved(members.size, guessed, right, delta), _disproved(members.size, guessed, guessed, delta)


def _disproved(units: int, guessed: int, right: int, delta: float) -> float:
    """Return the largest epsilon under which this number of right guesses has a probability of at most 5 %."""
    if not guessed:
        return 0.0
    low, high = 0.0, _LARGEST
    if _chance(units, guessed, right, low, delta) > 1 - _CERTAINTY:
        return 0.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        if _chance(units, guessed, right, middle, delta) > 1 - _CERTAINTY:
            high = middle
        else:
            low = middle
    return low


def _chance(units: int, guessed: int, right: int, epsilon: float, delta: float) -> float:
    """Return a bound on the probability of at least this number of right guesses under an epsilon."""
    from scipy.special import expit
    from scipy.stats import binom

    coins = binom(guessed, expit(2 * epsilon))
    probability = coins.sf(right - 1)
    within = np.cumsum(coins.pmf(np.arange(right - 1, -1, -1))) / np.arange(1, right + 1)
    failing = 2 * units * delta * (1 + np.exp(epsilon)) * within.max(initial=0.0)
    return float(min(probability + failing, 1.0))
