"""How often a word is found that stands in a text, by how many of the adversary's texts have it."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, measured, percent

TITLE = "How rare a word may be"
_ROW = 46
_EMPTY = "No victim has a word."


def figure(rarity: pd.DataFrame) -> go.Figure:
    """Draw the recall of each rarity as a bar, the rarest words on top, with how many of them there were."""
    bands = records(rarity.sort_values("fewest"))
    drawing = theme.blank(
        "Recall: share of such words that are named",
        "In how many of its texts",
        height=theme.TOP + theme.BOTTOM + _ROW * max(len(bands), 3),
        legend=True,
    )
    known = rarity[rarity["recall"].notna()].sort_values("fewest")
    if known.empty:
        return theme.empty(drawing, _EMPTY)
    places = {row.fewest: place for place, row in enumerate(bands)}
    at = [places[fewest] for fewest in known["fewest"]]
    said = [_hover(row) for row in records(known)]
    drawing.add_bar(
        x=known["recall"],
        y=at,
        orientation="h",
        marker={"color": theme.MEMBER},
        width=0.6,
        name="The attack",
        error_x=intervals.bars(known["recall"], known["low"], known["high"], theme.INK),
        text=said,
        textposition="none",
    )
    drawing.add_scatter(
        x=[share or None for share in known["frequency"]],
        y=at,
        mode="markers",
        name="Frequency alone (chance)",
        cliponaxis=False,
        marker={
            "symbol": "diamond",
            "size": 12,
            "color": theme.CHANCE,
            "line": {"color": theme.BACKGROUND, "width": 2},
        },
        hovertemplate="The same words for every text find %{x:.1%}<extra></extra>",
    )
    drawing.add_scatter(
        x=[max(row.recall, row.high, row.frequency) if row.occurrences else 0 for row in bands],
        y=list(places.values()),
        mode="text",
        text=[f" {percent(row.recall)} of {row.occurrences:,}" if row.occurrences else " no case" for row in bands],
        textposition="middle right",
        hoverinfo="skip",
        showlegend=False,
        textfont={"size": theme.SMALL, "color": theme.INK},
        cliponaxis=False,
    )
    drawing.update_xaxes(range=[0, 1.42], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    drawing.update_yaxes(
        range=[len(bands) - 0.4, -0.6],
        tickmode="array",
        tickvals=list(places.values()),
        showgrid=False,
        ticktext=[called(row.fewest, row.most) for row in bands],
    )
    return drawing.figure()


def sentence(rarity: pd.DataFrame) -> str:
    """Read the bars aloud: the commonest words, the rarest that are found at all, and those that cannot be."""
    bands = [row for row in records(rarity.sort_values("fewest")) if row.recall == row.recall]
    if not bands:
        return _EMPTY
    last = bands[-1]
    text = (
        f"Words that stand in {called(last.fewest, last.most)} of the adversary’s texts are named in "
        f"{measured(last.recall, last.low, last.high, named=True)} of {counted(last.occurrences, 'case')}."
    )
    found = next((row for row in bands if row.recall > 0), None)
    if found is None:
        text += " None of any rarity is found."
    elif found is not last:
        text += (
            f" The rarest that are found at all stand in {called(found.fewest, found.most)} of them: "
            f"{measured(found.recall, found.low, found.high)} of {counted(found.occurrences, 'case')}, and "
            f"{percent(_right(found) / found.named)} of the times they are named, that is right."
        )
    never = [row for row in bands if row.fewest == 0]
    if never:
        text += f" In {counted(never[0].occurrences, 'case')} the word stands in none of them, and cannot be named."
    beyond = next((row for row in bands if row.frequency > 0), None)
    if beyond is None:
        return text
    where = called(beyond.fewest, beyond.most)
    return f"{text} Naming the same words for every text finds some only among those in {where}."


def called(fewest: int, most: int) -> str:
    """Return a number of texts as a range.

    >>> called(0, 0), called(5, 19), called(500, -1)
    ('none', '5–19', '500 or more')
    """
    if most < 0:
        return f"{fewest:,} or more"
    if fewest == most:
        return f"{fewest:,}" if fewest else "none"
    return f"{fewest:,}–{most:,}"


def _right(row: Any) -> int:
    return round(float(row.recall) * int(row.occurrences))


def _hover(row: Any) -> str:
    text = (
        f"<b>in {called(row.fewest, row.most)} of the adversary’s texts</b><br>named in "
        f"{measured(row.recall, row.low, row.high)} of {counted(row.occurrences, 'case')}"
    )
    if not row.named:
        return text
    return f"{text}<br>named {counted(row.named, 'time')}, {percent(_right(row) / row.named)} of them rightly"
