"""Differential privacy: what training promises, how much noise that takes, and what guesses disprove."""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import Incompatible

DELTA = 1e-5
"""Probability of failure that is usually granted."""

_CERTAINTY = 0.95
_LARGEST = 50.0
_SHARE = 4
"""One unit in so many is called in, and as many are called out; an auditor abstains from the others."""


@dataclass(frozen=True)
class Promise:
    """What differentially private training promises to each document (Dwork and Roth 2014, definition 2.4).

    Attributes:
        epsilon: Whatever is released is at most e to this times likelier with a document than without it, and the other
            way round,
        delta: but for a failure of this probability.
        norm: Length to which the gradient of each document is cut.
        words: Words that the model knows, chosen without a look at the documents.
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
            documents: How many are trained on.
            batch: How many of them a step draws on average.
            steps: Steps of the whole training.

        Raises:
            Incompatible: The promise cannot be kept, or promises nothing.
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
                warnings.simplefilter("ignore", UserWarning)  # that far from the answer a bound is loose
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
                f"No amount of noise is shown to keep epsilon at {self.epsilon:g} in {steps} steps of {batch} out of "
                f"{documents} documents. Use a larger epsilon or fewer passes."
            ) from refused
        return float(noise)


def steps_per_epoch(documents: int, batch: int) -> int:
    """Return how many steps draw each document about once, on average."""
    return max(round(documents / batch), 1)


def called(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which units an auditor calls in, and which out: the quarters with the highest and the lowest scores.

    Args:
        scores: (units,) of one model.
    """
    order = np.argsort(scores, kind="stable")
    quarter = len(scores) // _SHARE
    return order[len(order) - quarter :], order[:quarter]


def epsilon_at_least(members: NDArray[np.bool_], scores: NDArray[np.float64], delta: float) -> tuple[float, float]:
    """Return an epsilon that training surely exceeds, given how well guesses about it went, at 95 % confidence.

    This is the audit of Steinke, Nasr and Jagielski 2023 (theorem 5.2, appendix D): if each of m independent fair coins
    decides whether a unit is trained on, then under an epsilon the number of right guesses among r is hardly larger
    than that of r coins with heads at ``e^ε / (1 + e^ε)``. Guesses are made where scores are extreme, by a rule that
    does not look at the bits. A unit that is out is here replaced by others, which is two changes of the kind that
    accountants count; the epsilon returned is that of one, and may be held against an accountant's.

    Args:
        members: (models, units) the secret bits, each a fair coin of its own.
        scores: (models, units) what an adversary thinks of each.
        delta: Probability of failure that is granted.

    Returns:
        The bound, 0 when nothing is disproved; and what it would be if every guess had been right.
    """
    right = guessed = 0
    for bits, said in zip(members, scores, strict=True):
        inside, outside = called(said)
        right += int(bits[inside].sum()) + int((~bits[outside]).sum())
        guessed += len(inside) + len(outside)
    return _disproved(members.size, guessed, right, delta), _disproved(members.size, guessed, guessed, delta)


def _disproved(units: int, guessed: int, right: int, delta: float) -> float:
    """Return the largest epsilon under which so many right guesses have a probability of 5 % at most."""
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
    """Return a bound on the probability of so many right guesses when one unit is replaced under an epsilon."""
    from scipy.special import expit
    from scipy.stats import binom

    coins = binom(guessed, expit(2 * epsilon))
    probability = coins.sf(right - 1)
    within = np.cumsum(coins.pmf(np.arange(right - 1, -1, -1))) / np.arange(1, right + 1)
    failing = 2 * units * delta * (1 + np.exp(epsilon)) * within.max(initial=0.0)
    return float(min(probability + failing, 1.0))
