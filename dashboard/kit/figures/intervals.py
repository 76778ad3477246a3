"""How an interval is drawn: as a band along a line, or as a bar through a point."""

from typing import Any

import numpy as np
import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing


def line(
    drawing: Drawing,
    x: "pd.Series[Any]",
    y: "pd.Series[Any]",
    low: "pd.Series[Any]",
    high: "pd.Series[Any]",
    mark: theme.Mark,
    *,
    name: str,
    said: list[str],
    size: int = 9,
    width: float = 3,
) -> None:
    """Draw a line through points, with the band of their intervals where they are known.

    Args:
        drawing: Where to.
        x: Where the points lie.
        y: Their values.
        low: Lower ends of the intervals, NaN where unknown.
        high: Upper ends.
        mark: How the line looks.
        name: What the line is.
        said: What a pointer on each point says.
        size: Of the points, in pixels.
        width: Of the line, in pixels.
    """
    known = low.notna() & high.notna()
    at, lower, upper = (column[known].tolist() for column in (x, low, high))
    if len(at) == 1:
        drawing.add_scatter(
            x=at * 2,
            y=[*lower, *upper],
            mode="lines",
            line={"color": theme.veil(mark.colour, 0x88), "width": 3},
            hoverinfo="skip",
            showlegend=False,
        )
    else:
        drawing.add_scatter(
            x=[*at, *at[::-1]],
            y=[*upper, *lower[::-1]],
            fill="toself",
            fillcolor=theme.veil(mark.colour, 0x26),
            mode="none",
            hoverinfo="skip",
            showlegend=False,
        )
    drawing.add_scatter(
        x=x,
        y=y,
        mode="lines+markers",
        name=name,
        line={"color": mark.colour, "width": width, "dash": mark.dash},
        marker={"color": mark.colour, "symbol": mark.symbol, "size": size},
        text=said,
    )


def bars(
    value: "pd.Series[Any]", low: "pd.Series[Any]", high: "pd.Series[Any]", colour: str, thickness: float = 2
) -> dict[str, Any]:
    """Return what plotly takes as ``error_x`` or ``error_y``."""
    return {
        "type": "data",
        "symmetric": False,
        "array": (high - value).clip(lower=0),
        "arrayminus": (value - low).clip(lower=0),
        "thickness": thickness,
        "width": 5,
        "color": colour,
    }


def of_shares(share: "pd.Series[Any]", count: int) -> "tuple[pd.Series[Any], pd.Series[Any]]":
    """Return both ends of Wilson's 95 % interval of shares, each of as many independent cases.

    >>> low, high = of_shares(pd.Series([0.0, 0.5]), 100)
    >>> [round(end, 3) for end in (*low, *high)]
    [0.0, 0.404, 0.037, 0.596]
    """
    z2 = 1.96**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = np.sqrt(share * (1 - share) * z2 / count + (z2 / (2 * count)) ** 2) / (1 + z2 / count)
    return (middle - half).clip(lower=0), (middle + half).clip(upper=1)
