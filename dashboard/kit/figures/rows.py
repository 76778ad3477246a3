"""Values with their intervals, as the tables of figures hold them."""

from typing import Any


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
