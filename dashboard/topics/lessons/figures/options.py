"""Measured options one below the other, with how many people chose each."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording.naming import capitalised
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers

TITLE = "What was measured"
_ROW, _EDGE = 78, 64


@once
def best(rows: pd.DataFrame) -> str:
    """Return the name of the highest option."""
    return str(rows.sort_values("value", ascending=False)["name"].iloc[0])


@once
def figure(rows: pd.DataFrame, chosen: Sequence[str]) -> go.Figure:
    """Draw a row for each option; the names say who chose it.

    Args:
        rows: Of `answers.table`.
        chosen: Names of the options that were chosen.
    """
    options = records(rows)
    shares = all(row.is_share for row in options)
    drawing = theme.blank(options[0].measure, "", inner=_ROW * len(options), right=_EDGE)
    positions = list(range(len(options)))
    answers.add(drawing, options, upright=False, at=positions)
    for y, row in zip(positions, options, strict=True):
        written = answers.written(row.value, row.is_share, row.unit)
        traces.right_label(drawing, written, max(row.value, row.high), y)
    for chance in sorted({row.chance for row in options if not pd.isna(row.chance)})[:1]:
        theme.level(drawing, x=chance)
    if shares:
        drawing.update_xaxes(range=[-0.02, theme.WHOLE], tickformat=".0%", nticks=6)
    drawing.update_yaxes(range=[len(options) - 0.6, -1.0], showticklabels=False, showgrid=False)
    for y, row in zip(positions, options, strict=True):
        traces.left_label(drawing, _label(row, chosen), y, yanchor="bottom", yshift=13, align="left")
    return drawing.figure()


@once
def sentence(rows: pd.DataFrame, chosen: Sequence[str]) -> str:
    """Read the figure aloud: every option, and whether the choice is right."""
    right, text = best(rows), capitalised(answers.read(rows))
    if not chosen:
        return f"{text}. The highest is “{right}”."
    if len(chosen) != 1:
        return f"{text}. {sum(option == right for option in chosen)} of {len(chosen)} chose the highest, “{right}”."
    if chosen[0] == right:
        return f"{text}. You chose “{right}”, the highest."
    return f"{text}. You chose “{chosen[0]}”; the highest is “{right}”."


def _label(row: Any, chosen: Sequence[str]) -> str:
    """Return the name of an option, with who chose it in a line of its own."""
    votes = sum(option == row.name for option in chosen)
    if not votes:
        return capitalised(row.name)
    return f"<b>{capitalised(row.name)}</b><br>{'your choice' if len(chosen) == 1 else f'{votes} of {len(chosen)}'}"
