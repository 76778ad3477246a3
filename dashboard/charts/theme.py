"""The one look of every figure: colours by role, type for a projector, margins.

A colour here is one of the placeholders that Streamlit's browser side replaces by the colours of
``dashboard/.streamlit/config.toml``, those of the light or the dark theme, even when a person switches while a figure
is shown. So the palette is declared once, there. Draw the figures with ``theme="streamlit"``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboard.charts.drawing import Drawing

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

MEMBER = "#000001"
"""Members, and what leaks. The first categorical colour."""
NONMEMBER = "#000002"
"""Non-members. The second."""
THIRD = "#000003"
AGAINST = "#000004"
"""Evidence against membership, or a second kind of attack. The fourth."""
PAPER = "#000005"
"""Values that a paper states. The fifth."""
CHANCE = "#000006"
"""What guessing gives. The sixth."""
INK = "#000037"
"""Text: dark on light, light on dark."""
BACKGROUND = "#000038"
"""The page itself."""
CATEGORICAL = (MEMBER, NONMEMBER, THIRD, AGAINST, PAPER, CHANCE)

_RAMP = ("#000016", "#000017", "#000018", "#000019", "#000020")
_SYMBOLS = ("circle", "square", "triangle-up", "cross", "pentagon", "star", "hexagon", "triangle-down")
_DASHES = ("solid", "dash", "dot")

ACCURACY = "Accuracy: share of right guesses"
"""Title of an axis of accuracies."""
TYPE = 15
SMALL = 14
HEIGHT = 400
TOP = 26
BOTTOM = 60
_LINE = 19


@dataclass(frozen=True)
class Mark:
    """How one series is drawn, so that it is told apart without colour too."""

    colour: str
    symbol: str
    dash: str


def ordered(values: Sequence[int]) -> dict[int, Mark]:
    """Return a mark for each size, the larger the stronger; one size alone gets the accent."""
    sizes = sorted(set(values))
    if len(sizes) == 1:
        return {sizes[0]: Mark(MEMBER, _SYMBOLS[0], _DASHES[0])}
    marks = {}
    for place, size in enumerate(sizes):
        step = round(place * (len(_RAMP) - 1) / (len(sizes) - 1))
        symbol = _SYMBOLS[place % len(_SYMBOLS)]
        marks[size] = Mark(_RAMP[step], symbol, _DASHES[place % len(_DASHES)] if len(sizes) > len(_RAMP) else "solid")
    return marks


def distinct(count: int) -> list[Mark]:
    """Return marks for series without an order, the accent first and the grey of chance never."""
    colours = CATEGORICAL[:-1]
    return [
        Mark(colours[place % len(colours)], _SYMBOLS[place % len(_SYMBOLS)], _DASHES[place % len(_DASHES)])
        for place in range(count)
    ]


def veil(colour: str, alpha: int = 0x2E) -> str:
    """Return the colour, nearly transparent."""
    return f"{colour}{alpha:02x}"


AXIS: dict[str, Any] = {
    "tickfont": {"size": SMALL, "color": INK},
    "title": {"font": {"size": TYPE, "color": INK}, "standoff": 10},
    "automargin": True,
    "zeroline": False,
    "showgrid": True,
    "fixedrange": True,
}
"""What all axes share; fixed, so that a finger on a phone scrolls the page."""


def blank(x: str, y: str, *, height: int = HEIGHT, right: int = 16, legend: bool = False) -> Drawing:
    """Return an empty figure with the look of all.

    Args:
        x: Title of the horizontal axis, with its unit.
        y: Title of the vertical axis, with its unit.
        height: In pixels.
        right: Margin for labels beside the lines, in pixels.
        legend: Whether there is one, above the figure.
    """
    drawing = Drawing(
        {
            "height": height,
            "margin": {"l": 8, "r": right, "t": TOP + (_LINE if legend else 0), "b": 4, "pad": 4},
            "font": {"size": TYPE, "color": INK},
            "showlegend": legend,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "y": 1.02,
                "yanchor": "bottom",
                "font": {"size": SMALL, "color": INK},
                "bgcolor": veil(BACKGROUND, 0x90),
                "itemclick": False,
                "itemdoubleclick": False,
                "title": {"text": ""},
            },
            "hoverlabel": {"font": {"size": SMALL}, "align": "left"},
            "hovermode": "closest",
            "dragmode": False,
            "bargap": 0.25,
            "xaxis": AXIS,
            "yaxis": AXIS,
        }
    )
    drawing.update_layout(xaxis={"title": {"text": x}}, yaxis={"title": {"text": y}})
    return drawing


def logarithmic(low: float, high: float) -> dict[str, Any]:
    """Return a logarithmic axis from one positive value to another, with plain numbers at its ticks.

    >>> logarithmic(0.08, 3)["ticktext"]
    ['0.1', '0.2', '0.5', '1', '2']
    """
    low, high = low / 1.15, high * 1.15
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 300 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
    return {
        "type": "log",
        "range": [math.log10(low), math.log10(high)],
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": [f"{tick:,g}" for tick in ticks],
        "minor": {"ticks": ""},
    }


def rows(drawing: Drawing, shares: Sequence[float], gap: float = 0.05) -> list[str]:
    """Divide a figure into rows that share the horizontal axis.

    Args:
        drawing: A blank one.
        shares: Height of each row relative to the others, from the top.
        gap: Space between two rows as a share of the whole height.

    Returns:
        Name of each row's vertical axis, as traces and shapes take it, from the top.
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
    """Return what the layout calls a vertical axis.

    >>> axis("y2")
    'yaxis2'
    """
    return name.replace("y", "yaxis")


def accuracies(drawing: Drawing, *lows: "pd.Series[Any]", percent: bool = True) -> tuple[float, float]:
    """Make the vertical axis one of accuracies or areas, with the level of chance; return its ends."""
    ends = floor(*lows), 1.03
    drawing.update_yaxes(range=ends, tickformat=".0%" if percent else ".1f", dtick=0.1)
    level(drawing, y=0.5)
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
    text: str = "guessing",
    row: str = "y",
    left: bool = False,
) -> None:
    """Draw what guessing gives as a grey dashed line with its name.

    Args:
        drawing: Where to.
        x: Where a vertical line stands.
        y: Where a horizontal one lies.
        text: Its name.
        row: The vertical axis that ``y`` is on, see `rows`.
        left: Whether the name of a horizontal line stands at its left end.
    """
    line = {"color": CHANCE, "width": 2, "dash": "dash"}
    note = {"text": text, "font": {"size": SMALL, "color": INK}, "bgcolor": veil(BACKGROUND, 0x90), "showarrow": False}
    if y is not None:
        drawing.add_shape(type="line", xref="x domain", yref=row, x0=0, x1=1, y0=y, y1=y, line=line, name="chance")
        end, anchor = (0, "left") if left else (1, "right")
        drawing.add_annotation(xref="x domain", yref=row, x=end, xanchor=anchor, y=y, yanchor="top", yshift=-1, **note)
    if x is not None:
        drawing.add_shape(type="line", yref="y domain", y0=0, y1=1, x0=x, x1=x, line=line, name="chance")
        drawing.add_annotation(yref="y domain", y=1, yanchor="bottom", x=x, xanchor="center", **note)


def empty(drawing: Drawing, text: str) -> "go.Figure":
    """Say in the middle of a figure why it shows nothing."""
    drawing.add_annotation(
        xref="paper", yref="paper", x=0.5, y=0.5, text=text, showarrow=False, font={"size": TYPE, "color": INK}
    )
    return drawing.figure()


def beside(
    drawing: Drawing,
    labels: Sequence[tuple[float, str, str]],
    x: float,
    low: float,
    high: float,
    *,
    height: int = HEIGHT,
) -> None:
    """Write names at the right end of lines, moved apart where lines end together.

    Args:
        drawing: Where to; its horizontal axis is logarithmic.
        labels: Height of a line's end on the vertical axis, its name, its colour.
        x: Where the lines end.
        low: Lower end of the vertical axis.
        high: Its upper end.
        height: Of the whole figure, in pixels.
    """
    pixels = (height - TOP - BOTTOM) / (high - low)
    floor = -float("inf")
    for y, text, colour in sorted(labels, key=lambda label: label[0]):
        wanted = y * pixels
        placed = max(wanted, floor + _LINE * (text.count("<br>") + 1))
        floor = placed
        drawing.add_annotation(
            x=math.log10(x),
            xanchor="left",
            xshift=10,
            y=y,
            yshift=placed - wanted,
            yanchor="middle",
            text=text,
            align="left",
            showarrow=False,
            font={"size": SMALL, "color": colour},
        )
