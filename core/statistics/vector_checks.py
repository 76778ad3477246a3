"""Checks of stored vectors: lengths, rows that are no vectors, repetitions."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_UNIT = 1e-2
"""A vector counts as of length one within this: what float16 and 8 bits change is less."""
_STORED = 1e-3
"""Relative difference of lengths that float16 makes, at most; 8 bits make more, and may change a ranking."""


@dataclass(frozen=True)
class Checks:
    """What was counted in some vectors.

    Attributes:
        checked: Vectors that were checked.
        dimension: Numbers in each.
        not_finite: Vectors with a number that is NaN or infinite.
        zero: Vectors of zeros.
        repeated: Vectors that equal one before them.
        unit: Share of the others (finite, not zero) whose length is within 0.01 of one.
        shortest: Length of the shortest of these.
        longest: Length of the longest.
        mean_length: Their mean length.
    """

    checked: int
    dimension: int
    not_finite: int
    zero: int
    repeated: int
    unit: float
    shortest: float
    longest: float
    mean_length: float

    @property
    def normalised(self) -> bool:
        """Whether every vector that is one has length one, within 1%."""
        return self.unit == 1.0

    @property
    def alike(self) -> bool:
        """Whether lengths differ by no more than what storing them in 16 bits changes."""
        return 0 < self.longest <= self.shortest * (1 + _STORED)


def check(blocks: Iterable[NDArray[np.float32]], left_out: int = 0) -> Checks:
    """Count over blocks of vectors; only a hash of each is kept.

    >>> check([np.float32([[3, 4], [0, 0]]), np.float32([[3, 4]])]).repeated
    1

    Args:
        blocks: Vectors, (some rows, dimension) each.
        left_out: How many vectors the blocks lack because they have numbers that are not finite.
    """
    checked = not_finite = left_out
    dimension = zero = repeated = unit = 0
    shortest, longest, total = np.inf, 0.0, 0.0
    distinct: set[int] = set()
    for block in blocks:
        checked, dimension = checked + len(block), block.shape[1]
        finite = np.isfinite(block).all(axis=1)
        lengths = np.linalg.norm(block[finite].astype(np.float64), axis=1)
        not_finite += int((~finite).sum())
        zero += int((lengths == 0).sum())
        hashes = [hash(row.tobytes()) for row in block[finite][lengths > 0]]
        before = len(distinct)
        distinct.update(hashes)
        repeated += len(hashes) - (len(distinct) - before)
        if len(lengths := lengths[lengths > 0]):
            unit += int((np.abs(lengths - 1) <= _UNIT).sum())
            shortest, longest = min(shortest, float(lengths.min())), max(longest, float(lengths.max()))
            total += float(lengths.sum())
    sound = checked - not_finite - zero
    share, mean = (unit / sound, total / sound) if sound else (0.0, 0.0)
    return Checks(checked, dimension, not_finite, zero, repeated, share, shortest if sound else 0.0, longest, mean)
