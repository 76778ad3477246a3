"""The look of every figure: colours by role, type sizes for a projector, margins.

Each colour here stands for one of the light or the dark theme in ``dashboard/.streamlit/config.toml``, where the
palette is declared once; `dashboard.kit.browser.scheme` puts those in their places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.drawing import Drawing

MEMBER = "#000001"
"""Members, and what leaks. The first categorical colour."""
NONMEMBER = "#000002"
"""Non-members. The second."""
THIRD = "#000003"
AGAINST = "#000004"
"""Evidence against membership, or a second kind of attack. The fourth."""
PAPER = "#000005"
"""Values that a paper reports. The fifth."""
CHANCE = "#000006"
"""The level of chance. The sixth."""
INK = "#000037"
"""Text: dark on light, light on dark."""
BACKGROUND = "#000038"
"""The page itself."""
GRID = "#000035"
"""Lines behind the data, and the edge of what a pointer shows."""
CATEGORICAL = (MEMBER, NONMEMBER, THIRD, AGAINST, PAPER, CHANCE)

SEQUENTIAL = tuple(f"#0000{number}" for number in range(11, 21))
"""Stronger for larger shares."""
DIVERGING = tuple(f"#0000{number}" for number in range(21, 31))
"""From the blue end, of what is wrong, to the orange end."""
_RAMP = SEQUENTIAL[5:]
_SYMBOLS = ("circle", "square", "triangle-up", "cross", "pentagon", "star", "hexagon", "triangle-down")
_DASHES = ("solid", "dash", "dot")

ACCURACY = "Accuracy: share of right guesses"
"""Title of an axis of accuracies."""
CHANCE_LINE = {"color": CHANCE, "width": 2, "dash": "dash"}
SELECTABLE: dict[str, Any] = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
"""For a trace whose points can be clicked: a click fades none of them."""
ON_PLOT = {"yref": "paper", "yanchor": "bottom"}
"""For a legend whose ``y`` is a share of the plot's height, because it has as many lines in every window."""
WHOLE = 1.02
"""End of an axis of shares, accuracies or areas that reaches 1, so that a mark at 1 is drawn whole."""
FONT = '"Source Sans", sans-serif'
"""Of the pages."""
TYPE = 15
SMALL = 14
HEIGHT = 400
TOP = 26
BOTTOM = 60
LINE = 19
"""Height of a line of small text, in pixels."""
_TITLE = 44
"""Most letters in a line of the title of a horizontal axis: as many as fit below a plot on a phone, 390 pixels wide."""


@dataclass(frozen=True)
class Mark:
    """How one series is drawn, recognisable without colour too."""

    colour: str
    symbol: str
    dash: str = "solid"

    def line(self, width: float) -> dict[str, Any]:
        """Return the look of a line."""
        return {"color": self.colour, "width": width, "dash": self.dash}

    def marker(self, size: Any) -> dict[str, Any]:
        """Return the look of points."""
        return {"color": self.colour, "symbol": self.symbol, "size": size}


def ordered(values: Sequence[int]) -> dict[int, Mark]:
    """Return a mark for each size, stronger for larger ones; a single size gets the accent."""
    sizes = sorted(set(values))
    if len(sizes) == 1:
        return {sizes[0]: Mark(MEMBER, _SYMBOLS[0], _DASHES[0])}
    marks = {}
    for index, size in enumerate(sizes):
        step = round(index * (len(_RAMP) - 1) / (len(sizes) - 1))
        symbol = _SYMBOLS[index % len(_SYMBOLS)]
        marks[size] = Mark(_RAMP[step], symbol, _DASHES[index % len(_DASHES)] if len(sizes) > len(_RAMP) else "solid")
    return marks


def distinct(count: int) -> list[Mark]:
    """Return marks for unordered series, the accent first, never the grey of chance."""
    colours = CATEGORICAL[:-1]
    return [
        Mark(colours[index % len(colours)], _SYMBOLS[index % len(_SYMBOLS)], _DASHES[index % len(_DASHES)])
        for index in range(count)
    ]


def veil(colour: str, alpha: int = 0x2E) -> str:
    """Return the colour, nearly transparent."""
    return f"{colour}{alpha:02x}"


BACKDROP = veil(BACKGROUND, 0x90)
"""Behind a text that lies over lines."""
AXIS: dict[str, Any] = {
    "tickfont": {"size": SMALL, "color": INK},
    "title": {"font": {"size": TYPE, "color": INK}, "standoff": 10},
    "gridcolor": GRID,
    "automargin": True,
    "zeroline": False,
    "showgrid": True,
    "fixedrange": True,
}
"""Shared by all axes; fixed, so that a finger on a phone scrolls the page."""


def blank(x: str, y: str, *, height: int = HEIGHT, inner: int = 0, right: int = 16, legend: bool = False) -> Drawing:
    """Return an empty figure.

    Args:
        x: Title of the horizontal axis, with its unit; a long one is divided into lines, each of which adds its height.
        y: Title of the vertical axis, with its unit.
        height: In pixels.
        inner: Height without the room above and below for names, in pixels, in place of ``height``.
        right: Margin for labels beside the lines, in pixels.
        legend: Whether to draw a legend above the figure.
    """
    title = _lines(x)
    added = LINE * (title.count("<br>") - x.count("<br>"))
    drawing = Drawing(
        {
            "height": (TOP + BOTTOM + inner if inner else height) + added,
            "margin": {"l": 8, "r": right, "t": TOP + (LINE if legend else 0), "b": 4, "pad": 4},
            "font": {"size": TYPE, "color": INK, "family": FONT},
            "paper_bgcolor": BACKGROUND,
            "plot_bgcolor": BACKGROUND,
            "showlegend": legend,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "y": 1,
                "yanchor": "top",
                # Placed on the plot, it would stay low where a wider window needs fewer lines (see `ON_PLOT`).
                "yref": "container",
                "font": {"size": SMALL, "color": INK},
                "bgcolor": BACKDROP,
                "itemclick": False,
                "itemdoubleclick": False,
                "title": {"text": "", "side": "top"},
            },
            "hoverlabel": {
                "font": {"size": SMALL, "color": INK, "family": FONT},
                "align": "left",
                "bgcolor": BACKGROUND,
                "bordercolor": GRID,
            },
            "hovermode": "closest",
            "dragmode": False,
            "bargap": 0.25,
            "xaxis": AXIS,
            "yaxis": AXIS,
        }
    )
    drawing.update_layout(xaxis={"title": {"text": title}}, yaxis={"title": {"text": y}})
    return drawing


def _lines(title: str) -> str:
    """Return the title of a horizontal axis with no line longer than a phone is wide.

    >>> _lines("AUC: probability that a member scores above a non-member")
    'AUC: probability that a member scores above<br>a non-member'
    """
    return "<br>".join("<br>".join(wrap(line, _TITLE, break_on_hyphens=False)) for line in title.split("<br>"))


def categories(texts: Sequence[str]) -> dict[str, Any]:
    """Return the ticks of an axis on which each text names a position, from 0 on."""
    return {"tickmode": "array", "tickvals": list(range(len(texts))), "ticktext": list(texts), "showgrid": False}


def rows(drawing: Drawing, shares: Sequence[float], gap: float = 0.05) -> list[str]:
    """Divide a blank figure into rows that share the horizontal axis; return the name of each row's vertical axis.

    ``shares`` are the relative heights from the top, ``gap`` the space between two rows as a share of the height.
    """
    names = ["y", *(f"y{number}" for number in range(2, len(shares) + 1))]
    unit = (1 - gap * (len(shares) - 1)) / sum(shares)
    top = 1.0
    for name, share in zip(names, shares, strict=True):
        bottom = max(top - share * unit, 0.0)
        drawing.layout.pop(axis(name), None)
        drawing.update_layout(**{axis(name): {**AXIS, "domain": [bottom, top]}})
        top = bottom - gap
    drawing.update_xaxes(anchor=names[-1])
    return names


def axis(name: str) -> str:
    """Return the layout's name of a vertical axis.

    >>> axis("y2")
    'yaxis2'
    """
    return name.replace("y", "yaxis")


def accuracies(
    drawing: Drawing, *lows: "pd.Series[Any]", percent: bool = True, labelled: bool = True
) -> tuple[float, float]:
    """Make the vertical axis one of accuracies or areas, with the level of chance; return its ends.

    Unless ``labelled``, the name of the level is among those at the ends of the lines, see `labels.beside`.
    """
    ends = floor(*lows), WHOLE
    drawing.update_yaxes(range=ends, tickformat=".0%" if percent else ".1f", dtick=0.1)
    if labelled:
        level(drawing, y=0.5)
    else:
        rule(drawing, y=0.5, name="chance")
    return ends


def floor(*lows: "pd.Series[Any]", least: float = 0.4) -> float:
    """Return where an axis of accuracies begins: below chance, and below every known end of an interval."""
    known = [float(value) for low in lows for value in low.dropna().tolist()]
    return min([least, *known]) - 0.02


def level(
    drawing: Drawing,
    *,
    x: float | None = None,
    y: float | None = None,
    text: str = "chance",
    row: str = "y",
    left: bool = False,
    listed: bool = False,
) -> None:
    """Draw a level of chance as a grey dashed line with its name; for a horizontal line, in the legend if there is one.

    Args:
        drawing: The figure.
        x: Position of a vertical line.
        y: Height of a horizontal line.
        text: Its name.
        row: The vertical axis of ``y``, see `rows`.
        left: Whether the name of a horizontal line stands at its left end.
        listed: Whether the name of a vertical line stands in the legend, too: points may lie anywhere along it.
    """
    if listed or (y is not None and drawing.layout["showlegend"]):
        rule(drawing, x=x, y=y, row=row, name=text, showlegend=True)
        return
    rule(drawing, x=x, y=y, row=row, name="chance")
    if y is not None:
        ends: dict[str, Any] = {"x": 0, "xanchor": "left"} if left else {"x": 1, "xanchor": "right"}
        note(drawing, text, xref="x domain", yref=row, y=y, yanchor="top", yshift=-1, bgcolor=BACKDROP, **ends)
    if x is not None:
        note(drawing, text, yref="y domain", y=1, yanchor="bottom", x=x, xanchor="center", bgcolor=BACKDROP)


def rule(
    drawing: Drawing, *, x: float | None = None, y: float | None = None, row: str = "y", line: Any = None, **look: Any
) -> None:
    """Draw a line right across a figure at ``x`` or ``y``; without a look of its own, like the level of chance.

    ``row`` is the vertical axis of ``y``, see `rows`; ``look`` goes to the shape.
    """
    line = line or CHANCE_LINE
    if y is not None:
        drawing.add_shape(type="line", xref="x domain", yref=row, x0=0, x1=1, y0=y, y1=y, line=line, **look)
    if x is not None:
        drawing.add_shape(type="line", yref="y domain", y0=0, y1=1, x0=x, x1=x, line=line, **look)


def area(drawing: Drawing, x: tuple[float, float], y: tuple[float, float], colour: str, **look: Any) -> None:
    """Fill a rectangle below the data; ``look`` goes to the shape."""
    edges = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    drawing.add_shape(type="rect", layer="below", line={"width": 0}, fillcolor=colour, **edges, **look)


def note(drawing: Drawing, text: str, *, colour: str = INK, **position: Any) -> None:
    """Write a small text into a figure; ``position`` is plotly's."""
    drawing.add_annotation(text=text, showarrow=False, font={"size": SMALL, "color": colour}, **position)


def empty(drawing: Drawing, text: str) -> go.Figure:
    """Return a figure without data that states why in its middle."""
    drawing.add_annotation(
        xref="paper", yref="paper", x=0.5, y=0.5, text=text, showarrow=False, font={"size": TYPE, "color": INK}
    )
    return drawing.figure()
