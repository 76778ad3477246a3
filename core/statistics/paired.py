"""Differences between two adversaries that answered the same queries, or played the same games."""

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import Interval, students_quantile, wilson_margin


def difference_of_pairs(first: NDArray[np.bool_], second: NDArray[np.bool_], record: NDArray[np.int64]) -> Interval:
    """Return how much more often the first is right than the second, with its 95% interval.

    Questions about one record stay together: the interval is Student's over the records' mean differences, each with
    the weight of its questions. Where no record differs, it is as wide as Wilson's bound for as many records.

    >>> right = np.array([True, True, True, False])
    >>> difference_of_pairs(right, right, np.arange(4)).value
    0.0

    Args:
        first: (questions,) whether the first is right.
        second: (questions,) whether the second is right.
        record: (questions,) number of the record that each is about.
    """
    differences = first.astype(np.float64) - second
    numbers, positions = np.unique(record, return_inverse=True)
    count, value = len(numbers), float(differences.mean())
    sums = np.bincount(positions, differences - value)  # of each record
    error = float(np.sqrt((sums**2).sum() * count / max(count - 1, 1))) / len(differences)
    if not error:
        margin = wilson_margin(count)
        return Interval(value, max(value - margin, -1.0), min(value + margin, 1.0))
    reach = students_quantile(max(count - 1, 1)) * error
    return Interval(value, max(value - reach, -1.0), min(value + reach, 1.0))


def mean_difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> Interval:
    """Return the mean of first less second over games that both played, with Student's 95% interval.

    >>> [round(end, 3) for end in mean_difference(np.array([0.9, 0.8, 0.85]), np.full(3, 0.6))]
    [0.25, 0.126, 0.374]

    Args:
        first: (games,) a figure of each of two games at least.
        second: (games,) another figure of the same games.
    """
    differences = first - second
    reach = students_quantile(len(differences) - 1) * float(differences.std(ddof=1)) / len(differences) ** 0.5
    value = float(differences.mean())
    return Interval(value, value - reach, value + reach)
