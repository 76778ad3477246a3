"""Leave-one-out intervals: each figure without each unit; and its variance over units."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.statistics import resampling
from core.statistics.crossed import Without, interval
from core.statistics.decisions import CELLS, Decisions, Resamples, Statistic, Values
from core.statistics.intervals import Interval

_RESAMPLES = 250

Units = NDArray[np.int64]
"""(models, targets) number of the unit of each decision."""


def by_jackknife(decisions: Decisions, names: Iterable[str], units: Sequence[Units]) -> dict[str, Interval]:
    """Return figures with intervals by `core.statistics.crossed`, without width where a figure does not vary.

    Args:
        decisions: The decisions.
        names: Of those in `Decisions.statistics`.
        units: Numbers of the models, of the targets, and of the decisions or of groups of them.
    """
    statistics = {name: decisions.statistics[name] for name in names}
    left_out = [_without_each(decisions, statistics, of) for of in units]
    figures = {}
    for name in statistics:
        value, without = decisions.value(name), Without(*(each[name] for each in left_out))
        least, maximum = decisions.lowest.get(name, 0.0), name in decisions.maxima
        known = np.isfinite(value)
        figures[name] = interval(value, without, lowest=least, maximum=maximum) if known else Interval(value)
    return figures


def _without_each(decisions: Decisions, statistics: Mapping[str, Statistic], units: Units) -> dict[str, Values]:
    """Return figures without each unit in turn, (units,), NaN where too few decisions are left."""
    numbers = np.arange(units.max() + 1)
    return _figures(decisions, statistics, numbers, lambda left_out: units != left_out[:, None, None])


def spread(decisions: Decisions, names: Iterable[str], units: Units, rng: np.random.Generator) -> dict[str, float]:
    """Return the variance of figures over units, by the bootstrap: that of resamples, times ``units / (units - 1)``."""
    count = int(units.max()) + 1
    times = resampling.drawn(count, _RESAMPLES, rng)
    statistics = {name: decisions.statistics[name] for name in names}
    drawn = _figures(decisions, statistics, times, lambda block: block[:, units])
    again = count / max(count - 1, 1)
    return {
        name: again * float(np.nanvar(values)) if np.isfinite(values).any() else 0.0 for name, values in drawn.items()
    }


def _figures(
    decisions: Decisions,
    statistics: Mapping[str, Statistic],
    resamples: NDArray[np.int64],
    times: Callable[[NDArray[np.int64]], NDArray[np.generic]],
) -> dict[str, Values]:
    """Return figures of resamples, some at a time; ``times`` counts each decision, (resamples, models, targets)."""
    blocks = np.array_split(resamples, -(-len(resamples) * decisions.member.size // CELLS))
    drawn = [
        {name: statistic(counted) for name, statistic in statistics.items()}
        for counted in (Resamples(decisions, times(block).astype(np.int64)) for block in blocks)
    ]
    return {name: np.concatenate([block[name] for block in drawn]) for name in statistics}
