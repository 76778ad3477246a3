"""Figures of decisions without each of some units, and how they vary where units are drawn again."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from core.statistics import resampling
from core.statistics.decisions import CELLS, Decisions, Resamples, Statistic, Values

_RESAMPLES = 250

Units = NDArray[np.int64]
"""(models, targets) number of the unit of each decision."""


def without_each(decisions: Decisions, statistics: Mapping[str, Statistic], units: Units) -> dict[str, Values]:
    """Return figures without each unit in turn, (units,), NaN where too few decisions are left."""
    numbers = np.arange(units.max() + 1)
    return _figures(decisions, statistics, numbers, lambda left_out: units != left_out[:, None, None])


def spread(decisions: Decisions, names: Iterable[str], units: Units, rng: np.random.Generator) -> dict[str, float]:
    """Return the variance of figures where units are drawn again, with replacement."""
    times = resampling.drawn(int(units.max()) + 1, _RESAMPLES, rng)
    statistics = {name: decisions.statistics[name] for name in names}
    drawn = _figures(decisions, statistics, times, lambda block: block[:, units])
    return {name: float(np.nanvar(values)) if np.isfinite(values).any() else 0.0 for name, values in drawn.items()}


def _figures(
    decisions: Decisions,
    statistics: Mapping[str, Statistic],
    resamples: NDArray[np.int64],
    times: Callable[[NDArray[np.int64]], NDArray[np.generic]],
) -> dict[str, Values]:
    """Return figures of resamples, some at a time.

    Args:
        decisions: The decisions.
        statistics: The figures, by name.
        resamples: (resamples, ...) what they are.
        times: Returns how often each decision counts in some of them, (resamples, models, targets).
    """
    blocks = np.array_split(resamples, -(-len(resamples) * decisions.member.size // CELLS))
    drawn = [
        {name: statistic(counted) for name, statistic in statistics.items()}
        for counted in (Resamples(decisions, times(block).astype(np.int64)) for block in blocks)
    ]
    return {name: np.concatenate([block[name] for block in drawn]) for name in statistics}
