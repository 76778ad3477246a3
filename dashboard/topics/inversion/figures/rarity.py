"""Recall of words by their frequency in the adversary's texts."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

TITLE = "Recall by rarity"
_ROW = 46
_BASELINE = theme.Mark(theme.CHANCE, "diamond")
_EMPTY = "No victim has a word."


@once
def figure(rarity: pd.DataFrame) -> go.Figure:
    """Draw the recall of each band of frequency as a bar, the rarest words on top, with the number of cases."""
    bands = records(rarity.sort_values("fewest"))
    drawing = theme.blank("Recall", "Adversary’s texts with the word", inner=_ROW * max(len(bands), 3), legend=True)
    measured_bands = rarity[rarity["recall"].notna()].sort_values("fewest")
    if measured_bands.empty:
        return theme.empty(drawing, _EMPTY)
    positions = {row.fewest: position for position, row in enumerate(bands)}
    heights = [positions[fewest] for fewest in measured_bands["fewest"]]
    look = {"orientation": "h", "width": 0.6, "marker": {"color": theme.MEMBER}, "name": "The attack"}
    error = intervals.bars(measured_bands["recall"], measured_bands["low"], measured_bands["high"], theme.INK)
    hover = [_hover(row) for row in records(measured_bands)]
    drawing.add_bar(x=measured_bands["recall"], y=heights, error_x=error, text=hover, textposition="none", **look)
    frequency = [share or None for share in measured_bands["frequency"]]
    text = "chance (the most frequent words): recall %{x:.1%}<extra></extra>"
    baseline: dict[str, Any] = {"name": "Chance (the most frequent words)", "cliponaxis": False, "hovertemplate": text}
    scatter.points(drawing, frequency, heights, _BASELINE, size=12, edge={**scatter.RIM, "width": 2}, **baseline)
    ends = [max(row.recall, row.high, row.frequency) if row.occurrences else 0 for row in bands]
    texts = [f"{percent(row.recall)} of {row.occurrences:,}" if row.occurrences else "no case" for row in bands]
    for number, (end, text) in enumerate(zip(ends, texts, strict=True)):
        traces.right_label(drawing, text, end, number)
    axes.written_shares(drawing, 1.0, texts)
    traces.name_rows(drawing, [name(row.fewest, row.most) for row in bands])
    return drawing.figure()


@once
def sentence(rarity: pd.DataFrame) -> str:
    """Read the bars aloud: the most frequent words, the rarest found ones, and those that cannot be found."""
    bands = [row for row in records(rarity.sort_values("fewest")) if row.recall == row.recall]
    if not bands:
        return _EMPTY
    last = bands[-1]
    text = (
        f"Words in {name(last.fewest, last.most)} of the adversary’s texts are named in "
        f"{measured_in(last, 'recall', named=True)} of {counted(last.occurrences, 'case')}."
    )
    rarest = next((row for row in bands if row.recall > 0), None)
    if rarest is None:
        text += " No word is found in any band."
    elif rarest is not last:
        text += (
            f" The rarest found words are in {name(rarest.fewest, rarest.most)} of them: recall is "
            f"{measured_in(rarest, 'recall')} of {counted(rarest.occurrences, 'case')}, precision "
            f"{percent(_right(rarest) / rarest.named)}."
        )
    never = [row for row in bands if row.fewest == 0]
    if never:
        text += f" In {counted(never[0].occurrences, 'case')} the word is in none of them and cannot be named."
    by_chance = [row for row in bands if row.frequency > 0]
    if not by_chance:
        return text
    recalled = [f"{percent(row.frequency)} of those in {name(row.fewest, row.most)}" for row in by_chance]
    text += f" Chance (the most frequent words) finds {joined(recalled)}, and no others."
    if equal := [name(row.fewest, row.most) for row in by_chance if row.frequency >= row.low]:
        text += f" In {joined(equal)} the attack is not shown to find more."
    return text


def name(fewest: int, most: int) -> str:
    """Return a band of frequencies in words.

    >>> name(0, 0), name(5, 19), name(500, -1)
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
        f"<b>in {name(row.fewest, row.most)} of the adversary’s texts</b><br>named in {measured_in(row, 'recall')} of "
        f"{counted(row.occurrences, 'case')}"
    )
    if not row.named:
        return text
    return f"{text}<br>named {counted(row.named, 'time')}, precision {percent(_right(row) / row.named)}"
