"""Linear maps from embeddings, learnt by ridge regression."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.networks.perceptron import moments

_RIDGES = (1.0, 10.0, 100.0, 1000.0, 10_000.0)


@dataclass(frozen=True)
class LinearMap:
    """A linear map on inputs that are first given zero mean and unit variance.

    Attributes:
        center: (inputs,) mean of each input.
        scale: (inputs,) standard deviation of each input.
        weights: (inputs, outputs), or (inputs,) for a single output.
        bias: (outputs,), or a number.
    """

    center: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    @classmethod
    def ridge(cls, inputs: NDArray[np.float32], outputs: NDArray[Any]) -> "LinearMap":
        """Fit by ridge regression, with the strength that generalised cross-validation chooses.

        Args:
            inputs: (rows, inputs).
            outputs: (rows, outputs), or (rows,).
        """
        from sklearn.linear_model import RidgeCV

        center, scale = moments(inputs)
        fitted = RidgeCV(_RIDGES).fit((inputs - center) / scale, outputs)
        return cls(center, scale, np.asarray(fitted.coef_.T, np.float32), np.asarray(fitted.intercept_, np.float32))

    def __call__(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (rows, outputs), or (rows,)."""
        return np.asarray(((inputs - self.center) / self.scale) @ self.weights + self.bias, np.float32)
