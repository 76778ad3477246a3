"""Points, strokes and outlines that several figures draw alike."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme

RIM = {"color": theme.BACKGROUND, "width": 1}
"""Edge that sets points apart where they lie on one another."""


def points(
    drawing: Drawing,
    x: Any,
    y: Any,
    mark: theme.Mark,
    name: str | None = None,
    hover: Any = None,
    *,
    size: Any,
    opaque: bool = False,
    edge: Mapping[str, Any] | None = None,
    hollow: bool = False,
    line: Mapping[str, Any] | None = None,
    **trace: Any,
) -> None:
    """Add points.

    Args:
        drawing: The figure.
        x: Horizontal values.
        y: Vertical values.
        mark: Colour and symbol of the points.
        name: Name in the legend.
        hover: Text of each point under a pointer.
        size: Of the points, in pixels; one number, or one for each point.
        opaque: Whether points hide those below them; plotly draws points of different sizes half transparent.
        edge: Plotly's look of their edges; none by default.
        hollow: Whether only the outline of the symbol is drawn.
        line: Plotly's look of a line through them; none by default.
        trace: Other arguments of plotly's scatter trace.
    """
    look = {**mark.marker(size), **({"line": edge} if edge else {}), **({"opacity": 1} if opaque else {})}
    if hollow:
        look["symbol"] = f"{mark.symbol}-open"
    joined = {"mode": "lines+markers", "line": line} if line else {"mode": "markers"}
    texts = {key: text for key, text in (("name", name), ("text", hover)) if text is not None}
    drawing.add_scatter(x=x, y=y, marker=look, **joined, **texts, **trace)


def strokes(drawing: Drawing, x: Iterable[Any], y: Iterable[Any], colour: str, width: float, **trace: Any) -> None:
    """Add straight strokes as one trace; a pointer on them shows nothing.

    Args:
        drawing: The figure.
        x: Where each stroke begins and ends, horizontally; one number for a vertical stroke.
        y: The same vertically; one number for a horizontal stroke.
        colour: Of the strokes.
        width: Of the strokes, in pixels.
        trace: Other arguments of plotly's scatter trace.
    """
    line = {"color": colour, "width": width}
    drawing.add_scatter(x=_broken(x), y=_broken(y), mode="lines", line=line, hoverinfo="skip", **trace)


def chances(drawing: Drawing, x: Iterable[Any], y: Iterable[Any], name: str = "chance") -> None:
    """Add a level of chance for each row or bar as one trace, dashed as every level of chance; see `strokes`."""
    drawing.add_scatter(
        x=_broken(x), y=_broken(y), mode="lines", line={**theme.CHANCE_LINE, "width": 3}, hoverinfo="skip", name=name
    )


def outline(drawing: Drawing, edges: Any, share: Any, colour: str, *, dashed: bool, **trace: Any) -> None:
    """Add a histogram as a filled outline; each point of the outline has a hover text.

    Args:
        drawing: The figure.
        edges: Of the bins, one more than there are bins.
        share: Height of each bin.
        colour: Of the outline, and of the area below, there nearly transparent.
        dashed: Whether the outline is dashed.
        trace: Other arguments of plotly's scatter trace.
    """
    x, y = np.repeat(edges, 2), [0.0, *np.repeat(share, 2), 0.0]
    line = {"color": colour, "width": 2.5, "dash": "dash" if dashed else "solid"}
    look = {"mode": "lines", "fill": "tozeroy", "line": line, "fillcolor": theme.veil(colour, 0x38)}
    drawing.add_scatter(x=x, y=y, **look, **trace)


def _broken(values: Iterable[Any]) -> list[Any]:
    """Return both ends of each stroke, with a gap after it."""
    pairs = (value if isinstance(value, tuple) else (value, value) for value in values)
    return [end for pair in pairs for end in (*pair, None)]
