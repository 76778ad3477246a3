"""Scores rounded to the fewest digits that keep their order."""

import numpy as np
from numpy.typing import NDArray

_FEWEST, _STEP, _ALL = 16, 4, 53
"""Binary digits that are kept at least, by how many they grow, and those of a double."""


def shortened(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores rounded to as few binary digits as keep their order, their ties, and their side of 0.

    Every rate at every threshold stays as it is, whatever is drawn from a table of them. Sixteen digits or more are
    kept, so that a score moves by less than a hundred-thousandth of itself.

    >>> shortened(np.array([0.1, 0.1 + 2**-30, -3.0, np.nan])).tolist()
    [0.10000000009313226, 0.10000000102445483, -3.0, nan]
    """
    distinct = len(np.unique(scores))
    for digits in range(_FEWEST, _ALL, _STEP):
        # Rounding never swaps two values: where as many are distinct, none were joined.
        if len(np.unique(rounded := _rounded(scores, digits))) == distinct:
            return rounded
    return scores


def _rounded(scores: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    fraction, exponent = np.frexp(scores)
    return np.asarray(np.ldexp(np.rint(np.ldexp(fraction, digits)), exponent - digits))
