"""How a report writes numbers, and figures with their interval."""

import math
from collections.abc import Mapping
from typing import Any

from core.statistics.wording import fixed


def written(value: float) -> str:
    """Return a number as a report writes it.

    >>> written(0.7875), written(0.0025), written(6.75), written(12.25), written(19472.0), written(float("nan"))
    ('0.788', '0.0025', '6.75', '12.3', '19,472', 'not measurable')
    """
    if not math.isfinite(value):
        return "not measurable"
    if abs(value) >= 100 or (value == int(value) and abs(value) > 1):
        return f"{value:,.0f}"
    if 0.0005 <= abs(value) < 0.01:
        return fixed(value, 4).removesuffix("0")
    if abs(value) > 1:
        return fixed(value, 1 if abs(value) >= 10 else 2).rstrip("0").rstrip(".")
    return fixed(value, 3)


def measured(figure: Mapping[str, Any]) -> str:
    """Return a figure with its interval.

    >>> measured({"value": 0.8, "low": 0.7, "high": 0.9})
    '0.800 [0.700, 0.900]'
    """
    low, value, high = figure["low"], figure["value"], figure["high"]
    bracket = f" [{written(low)}, {written(high)}]" if low is not None and high is not None and low < high else ""
    return f"{'not measurable' if value is None else written(value)}{bracket}"
