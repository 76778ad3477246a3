"""Differential privacy: the guarantee of training, and the noise it takes."""

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.errors import Incompatible

DELTA = 1e-5
"""Usual probability of failure."""
_ORDERS = (*(1 + tenth / 10 for tenth in range(1, 100)), *range(12, 64))
"""Orders of the Rényi divergence that the accountant tries, those of Opacus. With fewer, more noise seems needed."""


@dataclass(frozen=True)
class Promise:
    """The guarantee of differentially private training (Dwork and Roth 2014, definition 2.4).

    Attributes:
        epsilon: Every output is at most e^ε times likelier with a document, or all of an owner, than without, and vice
            versa.
        delta: Probability with which that may fail.
        norm: Length to which the gradient of each document, or owner, is clipped.
        words: Vocabulary of the model, chosen independently of the documents.
        unit: Whom it protects: each document, or all documents of each owner together.
    """

    epsilon: float
    delta: float
    norm: float
    words: tuple[str, ...]
    unit: Literal["document", "owner"] = "document"

    def noise(self, documents: int, batch: int, steps: int) -> float:
        """Return the standard deviation of the noise in a step, in norms.

        The accountant is that of Rényi differential privacy for steps whose documents are drawn independently, each
        with probability ``batch / documents`` (Mironov, Talwar and Zhang 2019).

        Args:
            documents: Number of training documents, or of their owners where these are protected.
            batch: How many of them a step draws on average.
            steps: Steps of the whole training.

        Raises:
            Incompatible: The guarantee cannot be met, or is empty; ``fits`` hold a batch where that is too large.
        """
        if self.delta * documents >= 1:
            raise Incompatible(
                f"With a delta of {self.delta:g}, training that publishes one of {documents} {self.unit}s would count "
                f"as private. Use less than 1 / {documents}, {0.1 / documents:.0e} for example."
            )
        if batch > documents:
            raise Incompatible(
                f"A step cannot draw {batch} of {documents} {self.unit}s, as 'batch' of the model asks. A batch of "
                f"{documents} would do.",
                {"model.batch": documents},
            )
        try:
            return _least_noise(self.epsilon, self.delta, batch / documents, steps)
        except ValueError as refused:
            raise Incompatible(
                f"The accountant finds no noise that keeps epsilon at {self.epsilon:g} in {steps} steps of {batch} out "
                f"of {documents} {self.unit}s. Use a larger epsilon or fewer epochs."
            ) from refused


@cache
def _least_noise(epsilon: float, delta: float, rate: float, steps: int) -> float:
    from opacus.accountants.utils import get_noise_multiplier

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # bounds far from the solution are loose
        noise = get_noise_multiplier(
            target_epsilon=epsilon,
            target_delta=delta,
            sample_rate=rate,
            steps=steps,
            accountant="rdp",
            epsilon_tolerance=1e-3 * epsilon,
            alphas=list(_ORDERS),
        )
    return float(noise)


def steps_per_epoch(documents: int, batch: int) -> int:
    """Return the number of steps that draw each document once on average."""
    return max(round(documents / batch), 1)
