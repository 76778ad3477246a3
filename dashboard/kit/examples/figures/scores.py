"""Scores of single examples, model by model, beside the truth."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.games.example_membership.contract import Wording
from core.statistics.wording.naming import counted
from dashboard.kit.figures import foreign, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

_KINDS = (
    (True, "models trained on it", theme.Mark(theme.MEMBER, "circle"), -0.16),
    (False, "models not trained on it", theme.Mark(theme.NONMEMBER, "circle-open"), 0.16),
)
_ROW, _LONGEST = 34, 18


@once
def of(table: pd.DataFrame, group: str) -> pd.DataFrame:
    """Return the decisions about the examples of a group."""
    return table[table["group"] == group]


def title(about: Wording) -> str:
    """Return the heading of the figure."""
    return f"Single {about.many}, model by model"


@once
def figure(decisions: pd.DataFrame, names: Mapping[int, str], about: Wording) -> go.Figure:
    """Draw a row for each example of one group, with the score of every model; ``names`` are by example."""
    examples = list(dict.fromkeys(decisions["example"]))
    inner = 40 + _ROW * max(len(examples), 4)
    drawing = theme.blank("Score; above 0: member", "", legend=True, inner=inner)
    known = decisions[np.isfinite(decisions["score"])]
    if known.empty:
        return theme.empty(drawing, _nothing(about))
    ticks = [foreign.shown(foreign.cut(names[example], _LONGEST)) for example in examples]
    drawing.update_yaxes(range=[len(examples) - 0.4, -0.6], **theme.categories(ticks))
    theme.rule(
        drawing, x=0, name="threshold", showlegend=True, line={"color": theme.PAPER, "width": 2.5, "dash": "dash"}
    )
    for member, label, mark, shift in _KINDS:
        rows = records(known[known["member"] == member])
        heights = [examples.index(row.example) + shift for row in rows]
        hover = [
            f"<b>{foreign.shown(names[row.example])}</b>, model {row.model + 1}<br>"
            f"{'trained' if row.member else 'not trained'} on it; statistic {number(row.observed)}<br>"
            f"score {number(row.score)}, decision: {'member' if row.score > 0 else 'non-member'}"
            for row in rows
        ]
        edge = {"color": mark.colour, "width": 1.5}
        scatter.points(drawing, [row.score for row in rows], heights, mark, label, hover, size=9, edge=edge)
    return drawing.figure()


@once
def sentence(decisions: pd.DataFrame, about: Wording) -> str:
    """Read the rows aloud: how many decisions are right, and how many by chance."""
    if decisions.empty:
        return _nothing(about)
    right = int(hits(decisions).sum())
    return (
        f"Of {counted(len(decisions), 'decision')} about {counted(decisions['example'].nunique(), about.one)}, "
        f"{right:,} are right; by chance {len(decisions) / 2:,.0f}. Right of the line, a filled point is a true "
        "positive, an open one a false positive."
    )


@once
def hits(decisions: pd.DataFrame) -> "pd.Series[bool]":
    """Return which decisions are right."""
    return (decisions["score"] > 0) == decisions["member"]


def _nothing(about: Wording) -> str:
    return f"No {about.one} of this group is stored."
