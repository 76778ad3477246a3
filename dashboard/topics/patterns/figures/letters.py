"""What an adversary thinks each letter of one victim's sequence is, and whether it is right."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.wording import counted, percent


def table(rows: Sequence[Any]) -> pd.DataFrame:
    """Return the guesses at one victim, in the order of the sequence."""
    return pd.DataFrame(list(rows)).assign(position=range(1, len(rows) + 1))


def figure(rows: Sequence[Any], *, told: bool = True) -> go.Figure:
    """Draw a bar for each position, as high as the adversary is sure, with the letter that it names.

    Args:
        rows: The guesses at one victim, in the order of the sequence.
        told: Whether to tell the right ones from the wrong, and show the truth.
    """
    drawing = theme.blank(
        "True letter" if told else "Position", "Probability of the letter named", height=340, legend=told
    )
    for right, name, colour in ((True, "named rightly", theme.MEMBER), (False, "named wrongly", theme.NONMEMBER)):
        part = [(place, row) for place, row in enumerate(rows, start=1) if (row.rank == 1) == right or not told]
        if not part or (not told and not right):
            continue
        drawing.add_bar(
            x=[place for place, _ in part],
            y=[float(row.probability) for _, row in part],
            name=name,
            marker={"color": colour if told else theme.AGAINST, "pattern": {"shape": "" if right else "/"}},
            text=[f"<b>{foreign.shown(row.guess)}</b>" for _, row in part],
            textposition="outside",
            textfont={"size": theme.SMALL, "color": theme.INK},
            textangle=0,
            cliponaxis=False,
            hovertext=[_hover(place, row, told=told) for place, row in part],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    places = list(range(1, len(rows) + 1))
    drawing.update_xaxes(
        tickmode="array",
        tickvals=places,
        showgrid=False,
        tickangle=0,
        ticktext=[foreign.shown(row.truth) for row in rows] if told else [str(place) for place in places],
    )
    drawing.update_yaxes(range=[0, 1.12], tickformat=".0%", nticks=6)
    return drawing.figure()


def sentence(rows: Sequence[Any], *, told: bool = True) -> str:
    """Read the letters aloud."""
    if not told:
        return f"The adversary names each of {counted(len(rows), 'letter')} from the embedding alone."
    right = [row for row in rows if row.rank == 1]
    sure = [row for row in rows if row.probability > 0.9]
    text = f"{len(right)} of {counted(len(rows), 'letter')} are named rightly."
    if sure:
        held = sum(row.rank == 1 for row in sure)
        text += f" Of the {len(sure)} of which the adversary is surer than 90%, {held} are right."
    return text


def _hover(place: int, row: Any, *, told: bool) -> str:
    truth = f"; true: {foreign.shown(row.truth)}" if told else ""
    return f"<b>position {place}</b><br>named {foreign.shown(row.guess)} with {percent(float(row.probability))}{truth}"
