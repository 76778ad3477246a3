"""Values with their intervals, as the tables of figures hold them."""

from typing import Any

from core.statistics.intervals import Interval


def interval(source: Any, value: str = "value", low: str = "low", high: str = "high") -> dict[str, float]:
    """Return a value and both ends of its interval, for a row of a figure's table.

    >>> from core.result import Estimate
    >>> interval(Estimate(value=0.6, low=0.5, high=0.7, chance=None, unit="share"))
    {'value': 0.6, 'low': 0.5, 'high': 0.7}

    Args:
        source: An estimate, or a row of a table.
        value: Field of the value.
        low: Field of the lower end.
        high: Field of the upper end.
    """
    return {"value": getattr(source, value), "low": getattr(source, low), "high": getattr(source, high)}


def interval_of(row: Any, name: str, low: str = "", high: str = "") -> Interval:
    """Return a figure of a table's row with its interval, whose ends are called after it unless others are named.

    >>> from types import SimpleNamespace
    >>> interval_of(SimpleNamespace(auc=0.7, auc_low=0.6, auc_high=0.8), "auc")
    Interval(value=0.7, low=0.6, high=0.8)
    """
    return Interval(*(getattr(row, column) for column in (name, low or f"{name}_low", high or f"{name}_high")))
