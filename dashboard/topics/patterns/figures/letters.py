"""The letters that an adversary predicts for one victim's sequence, and which are right."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import foreign, theme, traces

TITLE = "Letter by letter"


def table(rows: Sequence[Any]) -> pd.DataFrame:
    """Return the guesses at one victim, in the order of the sequence."""
    return pd.DataFrame(list(rows)).assign(position=range(1, len(rows) + 1))


def figure(rows: Sequence[Any], *, reveal: bool = True) -> go.Figure:
    """Draw a bar for each guess in the order of the sequence: the predicted letter and its probability.

    ``reveal`` distinguishes right from wrong guesses and shows the true letters.
    """
    titles = "True letter" if reveal else "Position", "Probability of the predicted letter"
    drawing = theme.blank(*titles, height=340, legend=reveal)
    for right, name, colour in ((True, "right", theme.MEMBER), (False, "wrong", theme.NONMEMBER)):
        part = [(position, row) for position, row in enumerate(rows, 1) if (row.rank == 1) == right or not reveal]
        if not part or (not reveal and not right):
            continue
        traces.written_bars(
            drawing,
            [f"<b>{foreign.shown(row.guess)}</b>" for _, row in part],
            x=[position for position, _ in part],
            y=[float(row.probability) for _, row in part],
            name=name,
            marker={"color": colour if reveal else theme.AGAINST, "pattern": {"shape": "" if right else "/"}},
            textangle=0,
            hovertext=[_hover(position, row, reveal=reveal) for position, row in part],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    texts = [foreign.shown(row.truth) if reveal else str(position) for position, row in enumerate(rows, 1)]
    drawing.update_xaxes(**theme.categories(texts) | {"tickvals": list(range(1, len(rows) + 1)), "tickangle": 0})
    drawing.update_yaxes(range=[0, theme.WHOLE], tickformat=".0%", nticks=6)
    # The letters of certain predictions stand above the axis, below the legend.
    drawing.update_layout(margin={"t": theme.TOP + (46 if reveal else 0)}, legend={"y": 1.1, **theme.ON_PLOT})
    return drawing.figure()


def sentence(rows: Sequence[Any], *, reveal: bool = True) -> str:
    """Read the letters aloud."""
    if not reveal:
        return f"The adversary predicts each of {counted(len(rows), 'letter')} from the embedding alone."
    sure = [row for row in rows if row.probability > 0.9]
    text = f"{sum(row.rank == 1 for row in rows)} of {counted(len(rows), 'letter')} are predicted correctly."
    if sure:
        text += f" Of the {len(sure)} predicted with over 90%, {sum(row.rank == 1 for row in sure)} are right."
    return text


def _hover(position: int, row: Any, *, reveal: bool) -> str:
    truth = f"; true: {foreign.shown(row.truth)}" if reveal else ""
    guess, probability = foreign.shown(row.guess), percent(float(row.probability))
    return f"<b>position {position}</b><br>predicted {guess} with {probability}{truth}"
