"""Exposure: the rank of a secret among all others by a network's loss (Carlini et al. 2019, section 4)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.games.canaries.contract import Answer, MaskedCanary
from core.statistics.intervals import LEVEL, Interval


@dataclass(frozen=True)
class CanaryResult:
    """One canary of one network: what the adversary knew, its answer, and the truth.

    Attributes:
        model: Number of the network.
        trial: Number of the trial.
        repetitions: Copies of the canary in the training data.
        canary: The canary as the adversary knew it.
        answer: The adversary's answer.
        truth: (unknown,) the unknown words, as numbers of the pattern's candidates.
        decoy: (unknown,) a secret drawn alike that no network learned.
        losses: The network's loss with the truth and with the decoy.
    """

    model: int
    trial: int
    repetitions: int
    canary: MaskedCanary
    answer: Answer
    truth: NDArray[np.int64]
    decoy: NDArray[np.int64]
    losses: tuple[float, float]

    @property
    def exact(self) -> bool:
        """Whether all secrets were scored."""
        return len(self.answer.scored) == self.canary.space

    @property
    def ceiling(self) -> float:
        """Exposure when no other secret scores better, bits."""
        return float(np.log2(self.canary.space)) if self.exact else float(np.log2(len(self.answer.scored) + 1))

    def rank(self, secret: NDArray[np.int64], loss: float) -> float:
        """Return the rank of a secret among all, 1 for the smallest loss; estimated where a sample was scored."""
        if not self.exact:
            better = int((self.answer.scores <= loss).sum())
            return (better + 1) / (len(self.answer.scores) + 1) * self.canary.space
        sizes = (len(self.canary.pattern.candidates),) * self.canary.unknown
        # The loss from the same batch as those it is compared with: elsewhere it may differ in the last digit.
        batch_loss = self.answer.scores[np.ravel_multi_index(tuple(secret), sizes)]
        return int((self.answer.scores < batch_loss).sum()) + 1

    def exposure(self, secret: NDArray[np.int64], loss: float) -> float:
        """Return log2 of the number of secrets less log2 of the rank (Carlini et al. 2019, definition 5), bits."""
        return float(np.log2(self.canary.space) - np.log2(self.rank(secret, loss)))

    def spelt(self, words: NDArray[np.int64]) -> str:
        """Return the words of a secret, separated by spaces."""
        return " ".join(self.canary.pattern.spelt(words))


def unlearnt(secrets: int) -> float:
    """Return the expected exposure of a secret whose rank is uniformly distributed, bits.

    >>> round(unlearnt(10_000), 2)
    1.44
    """
    from scipy.special import gammaln

    return float(np.log2(secrets) - gammaln(secrets + 1) / secrets / np.log(2))


def unlearnt_mean(mean: float, count: int) -> Interval:
    """Return where the mean exposure of secrets whose ranks are uniformly distributed lies in 95% of draws.

    Such an exposure is exponentially distributed but for the steps of the rank, and so the mean of several follows a
    gamma distribution. The ends are no interval around what was measured: they say what chance alone gives.

    >>> [round(value, 2) for value in unlearnt_mean(unlearnt(1000), 30)]
    [1.44, 0.97, 1.99]

    Args:
        mean: The expected exposure of one, bits.
        count: How many are drawn, independently of each other.
    """
    from scipy.special import gammaincinv

    tail = (1 - LEVEL) / 2
    return Interval(mean, *(float(mean * gammaincinv(count, share) / count) for share in (tail, 1 - tail)))
