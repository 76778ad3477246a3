"""Convergence of the search by relaxation: distance of mixtures and of single words from the embedding."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Distance from the embedding by step"
_LINES = (
    ("mixed", "Mixture of words", theme.Mark(theme.MEMBER, "circle", "solid")),
    ("spelt", "Most likely word only", theme.Mark(theme.AGAINST, "square", "dash")),
)
_EMPTY = "No step was recorded."
_LOST = 1.5
"""Ratio of the final to the smallest distance from which the match counts as lost."""


@once
def figure(settling: pd.DataFrame) -> go.Figure:
    """Draw both distances by step on a logarithmic axis, and the temperature below."""
    drawing = theme.blank("Steps of the search", "", height=theme.HEIGHT + 110, legend=True)
    steps = _known(settling)
    if steps.empty:
        return theme.empty(drawing, _EMPTY)
    upper, lower = theme.rows(drawing, [3, 1], gap=0.09)
    ends = steps[["mixed", "spelt"]]
    span = min(float(ends.min().min()), 1.0), max(float(ends.max().max()), 1.0)
    axes.title_row(drawing, upper, "Squared distance (mean embedding: 1)", **axes.logarithmic(*span))
    axes.title_row(drawing, lower, "Temperature", rangemode="tozero", nticks=3)
    theme.rule(drawing, y=1, name="chance", row=upper)
    where: dict[str, Any] = {"xref": "x domain", "yref": upper, "x": 1, "xanchor": "right", "y": 0, "yanchor": "bottom"}
    theme.note(drawing, "mean embedding", bgcolor=theme.BACKDROP, **where)
    for column, name, mark in _LINES:
        hover = f"step %{{x}}: {name.lower()}, %{{y:.2f}} of the mean embedding’s distance<extra></extra>"
        traces.series(drawing, steps["steps"], steps[column], mark, yaxis=upper, name=name, hovertemplate=hover)
    look: dict[str, Any] = {"showlegend": False, "yaxis": lower}
    hover = "step %{x}: temperature %{y:.2f}<extra></extra>"
    mark = theme.Mark(theme.NONMEMBER, "circle")
    traces.series(drawing, steps["steps"], steps["temperature"], mark, mode="lines", hovertemplate=hover, **look)
    drawing.update_xaxes(rangemode="tozero", nticks=8)
    return drawing.figure()


@once
def sentence(settling: pd.DataFrame) -> str:
    """Read both lines aloud, and conclude from their last values."""
    rows = records(_known(settling))
    if not rows:
        return _EMPTY
    best, last = min(rows, key=lambda row: row.mixed), rows[-1]
    text = (
        f"The smallest squared distance between mixture and embedding, after {counted(int(best.steps), 'step')}, is "
        f"{percent(best.mixed)} of the mean embedding’s. After the last step it is {percent(last.mixed)}, and "
        f"{percent(last.spelt)} with only the most likely word at each position."
    )
    if last.spelt >= 1:
        return f"{text} These words match the embedding no better than the mean embedding does."
    if last.mixed > _LOST * best.mixed:
        return (
            f"{text} The best match is a mixture, not a text: part of the match is lost when the search settles on "
            "single words, so some words of the text are missed."
        )
    return (
        f"{text} Settling on single words costs little of the match, so other words match as well as the missed ones."
    )


@once
def chosen(choices: pd.DataFrame) -> str:
    """Read the adversary's chosen threshold aloud; empty without a choice."""
    rows = records(choices)
    if not rows:
        return ""
    row: Any = rows[0]
    return (
        f"On its held-out texts, the adversary names each word with a probability above {percent(row.threshold)} at "
        f"some position: {number(row.words)} words per text on average, from {number(row.places)} positions, with an "
        f"F1 of {percent(row.left_out_f1)}. The same threshold is used for the victims."
    )


def _known(settling: pd.DataFrame) -> pd.DataFrame:
    """Return the steps at which both distances are finite and positive, as a logarithmic axis needs."""
    positive = (settling[["mixed", "spelt"]] > 0).all(axis=1) & (settling[["mixed", "spelt"]] < math.inf).all(axis=1)
    return settling[positive].sort_values("steps")
