"""How a search by guesses goes on: how close they come to an embedding above, and below what they tell of its words."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, percent
from dashboard.kit.words import number

TITLE = "Closeness and F1, by the guesses that were embedded"
SAYS = (
    "All is of texts of the adversary’s own that teach nothing. Closeness is the cosine between the embedding and that "
    "of the closest guess: 1 where they point the same way, about 0 for a text that has nothing to do with it. The "
    "classifier has learnt from texts made up for it, too."
)
"""What has to be known to read the figure."""

_CLOSENESS = theme.Mark(theme.MEMBER, "circle", "solid")
_LINES = (
    ("left_out_f1", "guesses and classifier", theme.Mark(theme.NONMEMBER, "square", "dash")),
    ("guesses_f1", "guesses alone", theme.Mark(theme.THIRD, "triangle-up", "dot")),
)
_ALONE = "classifier alone"
_ROOM = 0.9
_ADDS = 0.01
"""What guesses have to add to F1 of the classifier, at least, to be said to help."""


def figure(search: pd.DataFrame, learning: pd.DataFrame) -> go.Figure:
    """Draw closeness, and below F1 with and without the classifier, against the guesses a text.

    Args:
        search: ``guesses``, ``closeness``, ``guesses_f1`` and ``left_out_f1`` by round.
        learning: How the classifier learnt; its last ``left_out_f1`` is a line across.
    """
    drawing = theme.blank("Guesses embedded for a text", "", height=theme.HEIGHT + 110, legend=True)
    upper, lower = theme.rows(drawing, [2, 3], gap=0.09)
    if search.empty:
        return theme.empty(drawing, "Nothing was searched.")
    alone = _alone(learning)
    drawn = [*search["left_out_f1"], *search["guesses_f1"], *([alone] if alone == alone else [])]
    drawing.update_xaxes(rangemode="tozero", nticks=8, tickformat=",d")
    drawing.update_layout(
        **{
            theme.axis(upper): {"title": {"text": "Closest (cosine)"}, "range": [0, 1.04], "nticks": 6},
            theme.axis(lower): {
                "title": {"text": "F1, texts left out"},
                "tickformat": ".0%",
                "nticks": 6,
                "range": [_ROOM * min(drawn), max(drawn) + (1 - _ROOM) * (max(drawn) or 1)],
            },
        }
    )
    drawing.add_scatter(
        x=values(search["guesses"]),
        y=values(search["closeness"]),
        yaxis=upper,
        mode="lines+markers",
        showlegend=False,
        line={"color": _CLOSENESS.colour, "width": 3, "dash": _CLOSENESS.dash},
        marker={"color": _CLOSENESS.colour, "symbol": _CLOSENESS.symbol, "size": 8},
        hovertemplate="%{x:.0f} guesses: cosine of the closest %{y:.3f}<extra></extra>",
    )
    for column, name, mark in _LINES:
        drawing.add_scatter(
            x=values(search["guesses"]),
            y=values(search[column]),
            yaxis=lower,
            mode="lines+markers",
            name=name,
            line={"color": mark.colour, "width": 3, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 8},
            hovertemplate=f"%{{x:.0f}} guesses: F1 %{{y:.1%}}, {name}<extra></extra>",
        )
    if alone == alone:
        drawing.add_scatter(
            x=[0, float(search["guesses"].max())],
            y=[alone, alone],
            yaxis=lower,
            mode="lines",
            name=_ALONE,
            line={"color": theme.CHANCE, "width": 2, "dash": "dash"},
            hovertemplate=f"F1 %{{y:.1%}}, {_ALONE}<extra></extra>",
        )
    return drawing.figure()


def sentence(search: pd.DataFrame, learning: pd.DataFrame) -> str:
    """Read closeness and F1 aloud, and say what the guesses add to the classifier."""
    rows = records(search.sort_values("round"))
    if not rows:
        return "Nothing was searched."
    first, last, alone = rows[0], rows[-1], _alone(learning)
    text = f"{number(round(first.guesses))} guesses a text, written at once, come as close as {number(first.closeness)}"
    if len(rows) > 1:
        text += (
            f"; {counted(int(last.round), 'round')} of corrections later, {number(round(last.guesses))} come as close "
            f"as {number(last.closeness)}"
        )
    text += f". From them alone F1 is {percent(last.guesses_f1)}"
    if alone != alone:
        return f"{text}."
    text += f", from the classifier alone {percent(alone)}, and from both {percent(last.left_out_f1)}."
    if last.left_out_f1 < alone + _ADDS:
        return f"{text} So other texts come as close as the true one, and guesses add next to nothing here."
    return f"{text} So what comes close to an embedding tells words that the classifier does not."


def chosen(choices: pd.DataFrame) -> str:
    """Read aloud how much the adversary trusts its guesses; nothing where it chose nothing."""
    rows = records(choices[choices["chosen"]])
    if not rows:
        return ""
    row = rows[0]
    if not row.trust:
        return "On these texts it was best to leave the guesses aside; so they do not count for the victims."
    return (
        f"On these texts it was best to give the guesses a weight of {percent(row.trust)} beside the classifier, and "
        f"to name words above {percent(row.threshold)}. Victims are read so too."
    )


def _alone(learning: pd.DataFrame) -> float:
    """Return F1 of the classifier after its last pass, NaN where none was measured."""
    if learning.empty:
        return float("nan")
    return float(learning.sort_values("epochs")["left_out_f1"].iloc[-1])
