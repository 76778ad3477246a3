"""Text search by round: closeness to the embedding above, F1 of the recovered words below."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Closeness and F1 by candidate texts"
NOTE = (
    "All values are on held-out texts of the adversary. Closeness is the cosine between the embedding and that of the "
    "closest candidate text: 1 for the same direction, about 0 for an unrelated text."
)
"""What is needed to read the figure."""
SYNTHETIC = "The classifier is also trained on generated texts."

_CLOSENESS = theme.Mark(theme.MEMBER, "circle", "solid")
_LINES = (
    ("left_out_f1", "text search and classifier", theme.Mark(theme.NONMEMBER, "square", "dash")),
    ("guesses_f1", "text search only", theme.Mark(theme.THIRD, "triangle-up", "dot")),
)
_ALONE = "classifier only"
_EMPTY = "There was no search."
_ROOM = 0.9
_ADDS = 0.01
"""Smallest gain in F1 over the classifier that counts as help."""


@once
def figure(search: pd.DataFrame, learning: pd.DataFrame) -> go.Figure:
    """Draw closeness, and below it F1 with and without the classifier, by candidate texts.

    Args:
        search: ``guesses``, ``closeness``, ``guesses_f1`` and ``left_out_f1`` by round.
        learning: Training of the classifier; its last ``left_out_f1`` is a level line.
    """
    drawing = theme.blank("Candidate texts embedded per victim", "", height=theme.HEIGHT + 110, legend=True)
    upper, lower = theme.rows(drawing, [2, 3], gap=0.09)
    if search.empty:
        return theme.empty(drawing, _EMPTY)
    alone = _alone(learning)
    drawn = [*search["left_out_f1"], *search["guesses_f1"], *([alone] if alone == alone else [])]
    ends = [_ROOM * min(drawn), max(drawn) + (1 - _ROOM) * (max(drawn) or 1)]
    drawing.update_xaxes(rangemode="tozero", nticks=8, tickformat=",d")
    axes.title_row(drawing, upper, "Closest (cosine)", range=[0, theme.WHOLE], nticks=6)
    axes.title_row(drawing, lower, "F1 of words,<br>held-out texts", tickformat=".0%", nticks=6, range=ends)
    guesses = search["guesses"]
    hover = "%{x:.0f} texts: cosine of the closest %{y:.3f}<extra></extra>"
    traces.series(drawing, guesses, search["closeness"], _CLOSENESS, yaxis=upper, showlegend=False, hovertemplate=hover)
    for column, name, mark in _LINES:
        hover = f"%{{x:.0f}} texts: F1 %{{y:.1%}}, {name}<extra></extra>"
        traces.series(drawing, guesses, search[column], mark, yaxis=lower, name=name, hovertemplate=hover)
    if alone == alone:
        ends, mark = [0, float(guesses.max())], theme.Mark(theme.CHANCE, "circle", "dash")
        look: dict[str, Any] = {
            "yaxis": lower,
            "name": _ALONE,
            "hovertemplate": f"F1 %{{y:.1%}}, {_ALONE}<extra></extra>",
        }
        traces.series(drawing, ends, [alone, alone], mark, mode="lines", width=2, **look)
    return drawing.figure()


@once
def sentence(search: pd.DataFrame, learning: pd.DataFrame) -> str:
    """Read closeness and F1 aloud, and say what the text search adds to the classifier."""
    rows = records(search.sort_values("round"))
    if not rows:
        return _EMPTY
    first, last, alone = rows[0], rows[-1], _alone(learning)
    text = f"The first {number(round(first.guesses))} candidate texts reach a cosine of {number(first.closeness)}"
    if len(rows) > 1:
        text += (
            f"; after {counted(int(last.round), 'round')} of corrections, {number(round(last.guesses))} reach "
            f"{number(last.closeness)}"
        )
    text += f". F1 of the text search is {percent(last.guesses_f1)}"
    if alone != alone:
        return f"{text}."
    text += f", of the classifier {percent(alone)}, and of both together {percent(last.left_out_f1)}."
    if last.left_out_f1 < alone + _ADDS:
        return f"{text} The text search adds almost nothing here: other texts come as close as the true one."
    return f"{text} The text search reveals words that the classifier misses."


@once
def chosen(choices: pd.DataFrame) -> str:
    """Read the chosen weight of the text search aloud; empty without a choice."""
    rows = records(choices[choices["chosen"]])
    if not rows:
        return ""
    row = rows[0]
    if not row.trust:
        return "On these texts the best weight of the text search was 0, so it is not used for the victims."
    return (
        f"On these texts the best weight of the text search was {percent(row.trust)}, and the best threshold for words "
        f"{percent(row.threshold)}. Both are used for the victims."
    )


def _alone(learning: pd.DataFrame) -> float:
    """Return F1 of the classifier after its last epoch, NaN if not measured."""
    if learning.empty:
        return float("nan")
    return float(learning.sort_values("epochs")["left_out_f1"].iloc[-1])
