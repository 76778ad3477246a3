"""Traces and axes that several figures draw alike: series of points, written values, named rows."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, theme

_SHADED = 3
"""Bands that are shaded in one figure, at most."""


def series(
    drawing: Drawing,
    x: Any,
    y: Any,
    mark: theme.Mark,
    *,
    mode: str = "lines+markers",
    width: float = 3,
    size: float = 8,
    **trace: Any,
) -> None:
    """Add the points of a series and the line through them, in its colour, symbol and dashes.

    Args:
        drawing: The figure.
        x: Horizontal values.
        y: Vertical values.
        mark: Look of the series.
        mode: ``lines`` or ``markers`` draws only one of the two.
        width: Of the line, in pixels.
        size: Of the points, in pixels.
        trace: Other arguments of plotly's scatter trace.
    """
    line = {"color": mark.colour, "width": width, "dash": mark.dash}
    marker = {"color": mark.colour, "symbol": mark.symbol, "size": size}
    drawing.add_scatter(x=x, y=y, mode=mode, line=line, marker=marker, **trace)


def interval_line(
    drawing: Drawing,
    points: pd.DataFrame,
    columns: tuple[str, str, str, str],
    mark: theme.Mark,
    name: str,
    hover: list[str],
    *,
    size: int = 9,
    width: float = 3,
) -> None:
    """Add a line with the band of its intervals, where these are known.

    The first three bands of a figure are shaded; more would hide one another, so that later lines have bars. A single
    point has no line.

    Args:
        drawing: The figure.
        points: Table of the points.
        columns: Its columns of the horizontal axis, the value, and the ends of the interval.
        mark: Look of the line.
        name: Its name in the legend.
        hover: Text of each point under a pointer.
        size: Of the points, in pixels.
        width: Of the line, in pixels.
    """
    x, value, low, high = (points[column] for column in columns)
    known = low.notna() & high.notna()
    bars: dict[str, Any] = {}
    if sum(trace.get("fill") == "toself" for trace in drawing.traces) >= _SHADED:
        bars["error_y"] = intervals.bars(value, low.fillna(value), high.fillna(value), theme.veil(mark.colour, 0x88))
    elif known.sum() == 1:
        ends = {"x": x[known].tolist() * 2, "y": [*low[known], *high[known]], "mode": "lines"}
        line = {"color": theme.veil(mark.colour, 0x88), "width": 3}
        drawing.add_scatter(**ends, line=line, hoverinfo="skip", showlegend=False)
    else:
        intervals.band(drawing, x[known], low[known], high[known], mark.colour)
    mode = "markers" if len(points) == 1 else "lines+markers"
    series(drawing, x, value, mark, mode=mode, size=size, width=width, name=name, text=hover, **bars)


def texts(drawing: Drawing, x: Any, y: Any, labels: Sequence[str], **trace: Any) -> None:
    """Write small texts at points; without a ``hovertemplate`` a pointer on them shows nothing."""
    font = {"size": theme.SMALL, "color": theme.INK}
    quiet = {} if "hovertemplate" in trace else {"hoverinfo": "skip"}
    drawing.add_scatter(x=x, y=y, mode="text", text=labels, textfont=font, showlegend=False, **quiet, **trace)


def written_bars(drawing: Drawing, labels: Sequence[str], **trace: Any) -> None:
    """Add bars with small texts at their ends; ``trace`` is plotly's."""
    font = {"size": theme.SMALL, "color": theme.INK}
    drawing.add_bar(text=labels, textposition="outside", textfont=font, cliponaxis=False, **trace)


def rectangle(drawing: Drawing, x: float, y: float, width: float, height: float, **look: Any) -> None:
    """Draw a rectangle around its centre, in units of the axes."""
    sides = {"x0": x - width / 2, "x1": x + width / 2, "y0": y - height / 2, "y1": y + height / 2}
    drawing.add_shape(type="rect", **sides, **look)


def name_rows(drawing: Drawing, names: Sequence[str], *, below: float = 0.4, above: float = 0.6, **axis: Any) -> None:
    """Name the rows 0, 1, 2, ... of the vertical axis, from the top."""
    ticks = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names}
    drawing.update_yaxes(**{"range": [len(names) - below, -above], "showgrid": False, **ticks, **axis})


def left_label(drawing: Drawing, text: str, y: float, **position: Any) -> None:
    """Write a text at the left end of a row, before any line that crosses it."""
    ends = {"xref": "x domain", "x": 0, "xanchor": "left", "y": y, "yanchor": "middle"}
    theme.note(drawing, text, **{**ends, "bgcolor": theme.veil(theme.BACKGROUND, 0xE6), "borderpad": 0, **position})


def right_label(drawing: Drawing, text: str, x: float, y: float) -> None:
    """Write a value right of an interval that ends at ``x``, clear of its point even if the interval is narrow."""
    theme.note(drawing, text, x=x, xanchor="left", xshift=12, y=y, yanchor="middle")


def foot(drawing: Drawing, text: str, x: float, colour: str) -> None:
    """Write the name of a vertical line at its foot; ``x`` is the decimal logarithm on a logarithmic axis."""
    position: dict[str, Any] = {"yref": "y domain", "y": 0, "yanchor": "bottom", "xanchor": "left", "xshift": 2}
    theme.note(drawing, text, colour=colour, x=x, bgcolor=theme.BACKDROP, **position)
