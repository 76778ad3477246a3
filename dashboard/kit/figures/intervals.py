"""Intervals: as a band along a line, or as a bar through a point."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme


def band(drawing: Drawing, x: "pd.Series[Any]", low: "pd.Series[Any]", high: "pd.Series[Any]", colour: str) -> None:
    """Fill the area between the ends of intervals."""
    outline = {"x": [*x, *x[::-1]], "y": [*high, *low[::-1]]}
    fill = {"fill": "toself", "fillcolor": theme.veil(colour, 0x26)}
    drawing.add_scatter(**outline, **fill, mode="none", hoverinfo="skip", showlegend=False)


def stepped_band(
    drawing: Drawing, x: "pd.Series[Any]", low: "pd.Series[Any]", high: "pd.Series[Any]", colour: str, name: str = ""
) -> None:
    """Fill the area between the ends of intervals, each of which holds up to the next value of ``x``.

    Args:
        drawing: The figure.
        x: Rising values.
        low: Lower ends.
        high: Upper ends.
        colour: Colour of the curve.
        name: Name in the legend; empty for none.
    """
    across, upper, lower = np.repeat(x, 2)[1:], np.repeat(high, 2)[:-1], np.repeat(low, 2)[:-1]
    outline = {"x": [*across, *across[::-1]], "y": [*upper, *lower[::-1]]}
    fill = {"fill": "toself", "fillcolor": theme.veil(colour, 0x26), "line": {"width": 0}}
    drawing.add_scatter(**outline, **fill, mode="lines", hoverinfo="skip", name=name, showlegend=bool(name))


def bars(
    value: Iterable[float], low: Iterable[float], high: Iterable[float], colour: str, thickness: float = 2
) -> dict[str, Any]:
    """Return plotly's ``error_x`` or ``error_y``."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(end - middle, 0) for middle, end in zip(value, high, strict=True)],
        "arrayminus": [max(middle - end, 0) for middle, end in zip(value, low, strict=True)],
        "thickness": thickness,
        "width": 5,
        "color": colour,
    }


def of_count(hits: int, count: int) -> tuple[float, float]:
    """Return both ends of Clopper and Pearson's exact 95% interval of a share, which holds for few hits, too.

    >>> low, high = of_count(3, 500)
    >>> round(low, 4), round(high, 4)
    (0.0012, 0.0174)
    """
    from scipy.stats import binomtest

    interval = binomtest(hits, count).proportion_ci(method="exact")
    return float(interval.low), float(interval.high)


def of_shares(share: "pd.Series[Any]", count: int) -> "tuple[pd.Series[Any], pd.Series[Any]]":
    """Return both ends of Wilson's 95% interval of shares, each of ``count`` independent cases.

    >>> low, high = of_shares(pd.Series([0.0, 0.5]), 100)
    >>> [round(end, 3) for end in (*low, *high)]
    [0.0, 0.404, 0.037, 0.596]
    """
    z2 = 1.96**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = np.sqrt(share * (1 - share) * z2 / count + (z2 / (2 * count)) ** 2) / (1 + z2 / count)
    return (middle - half).clip(lower=0), (middle + half).clip(upper=1)
