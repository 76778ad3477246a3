"""How a search for words settles: how far mixtures are from an embedding, and what is left once they are words."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, percent
from dashboard.kit.words import number

TITLE = "What is left of the distance as mixtures become words"
_LINES = (
    ("mixed", "Mixture of words", theme.Mark(theme.MEMBER, "circle", "solid")),
    ("spelt", "Likeliest word alone", theme.Mark(theme.AGAINST, "square", "dash")),
)
_LOST = 1.5
"""How many times as far as at its best a mixture ends, from where on its match counts as lost."""


def figure(settling: pd.DataFrame) -> go.Figure:
    """Draw both distances against the steps on a logarithmic axis, and the temperature below."""
    drawing = theme.blank("Steps of the search", "", height=theme.HEIGHT + 110, legend=True)
    known = _known(settling)
    if known.empty:
        return theme.empty(drawing, "Nothing was recorded on the way.")
    upper, lower = theme.rows(drawing, [3, 1], gap=0.09)
    ends = known[["mixed", "spelt"]]
    span = min(float(ends.min().min()), 1.0), max(float(ends.max().max()), 1.0)
    drawing.update_layout(
        **{
            theme.axis(upper): {"title": {"text": "Squared distance (mean embedding: 1)"}, **theme.logarithmic(*span)},
            theme.axis(lower): {"title": {"text": "Temperature"}, "rangemode": "tozero", "nticks": 3},
        }
    )
    theme.rule(drawing, y=1, name="chance", row=upper)
    theme.note(
        drawing,
        "mean embedding",
        xref="x domain",
        yref=upper,
        x=1,
        xanchor="right",
        y=math.log10(1),
        yanchor="bottom",
        bgcolor=theme.veil(theme.BACKGROUND, 0x90),
    )
    for column, name, mark in _LINES:
        drawing.add_scatter(
            x=values(known["steps"]),
            y=values(known[column]),
            yaxis=upper,
            mode="lines+markers",
            name=name,
            line={"color": mark.colour, "width": 3, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 8},
            hovertemplate=f"step %{{x}}: {name.lower()}, %{{y:.2f}} of the mean embedding’s distance<extra></extra>",
        )
    drawing.add_scatter(
        x=values(known["steps"]),
        y=values(known["temperature"]),
        yaxis=lower,
        mode="lines",
        showlegend=False,
        line={"color": theme.NONMEMBER, "width": 3},
        hovertemplate="step %{x}: temperature %{y:.2f}<extra></extra>",
    )
    drawing.update_xaxes(rangemode="tozero", nticks=8)
    return drawing.figure()


def sentence(settling: pd.DataFrame) -> str:
    """Read both lines aloud, and say what is to be concluded from where they end."""
    rows = records(_known(settling))
    if not rows:
        return "Nothing was recorded on the way."
    best, last = min(rows, key=lambda row: row.mixed), rows[-1]
    text = (
        f"At best, after {counted(int(best.steps), 'step')}, the squared distance between mixture and embedding is "
        f"{percent(best.mixed)} of the mean embedding’s. After the last step it is {percent(last.mixed)}, and "
        f"{percent(last.spelt)} with the likeliest word alone in each place."
    )
    if last.spelt >= 1:
        return f"{text} These words explain no more of an embedding than the mean embedding does."
    if last.mixed > _LOST * best.mixed:
        return (
            f"{text} So what matches best is a mixture that is no text: as it settles on words, part of the match is "
            "lost, and the words of the text are not all found again."
        )
    return f"{text} Settling on words costs little of the match, so what is not found, other words explain as well."


def chosen(choices: pd.DataFrame) -> str:
    """Read aloud what the adversary chose on texts of its own; nothing where it had none."""
    rows = records(choices)
    if not rows:
        return ""
    row: Any = rows[0]
    return (
        f"On texts of its own that do not teach, the adversary names each word with a share above "
        f"{percent(row.threshold)} of some place: {number(row.words)} words a text on average, of {number(row.places)} "
        f"places searched, with an F1 of {percent(row.left_out_f1)}. Victims are read with the same threshold."
    )


def _known(settling: pd.DataFrame) -> pd.DataFrame:
    """Return the steps at which both distances are known and can stand on a logarithmic axis."""
    positive = (settling[["mixed", "spelt"]] > 0).all(axis=1) & (settling[["mixed", "spelt"]] < math.inf).all(axis=1)
    return settling[positive].sort_values("steps")
