"""Which words of one text each method of inversion names, method beside method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.wording import counted
from dashboard.topics.inversion.figures.inversion import Told

TITLE = "The same text, method by method"
_ROW = 27
_HEADING = 40
_MOST = 40
_LONGEST = 18
_EMPTY = "The text has no word."


@dataclass(frozen=True)
class Reading:
    """What one method made of the text.

    Attributes:
        name: What the method is called.
        told: The words it named, and those it missed.
    """

    name: str
    told: Told


def figure(readings: Sequence[Reading], order: Sequence[str]) -> go.Figure:
    """Draw a row for each word of the text and a column for each method: a filled mark where it named the word.

    Args:
        readings: At least one.
        order: The words of the text that are known, as they come.
    """
    words = order[:_MOST]
    drawing = theme.blank("", "", height=_HEADING + theme.TOP + _ROW * max(len(words), 3) + 20, legend=True)
    if not words:
        return theme.empty(drawing, _EMPTY)
    for named, label, symbol in ((True, "named", "circle"), (False, "missed", "circle-open")):
        at = [
            (column, row)
            for column, reading in enumerate(readings)
            for row, word in enumerate(words)
            if (word in reading.told.right) == named
        ]
        drawing.add_scatter(
            x=[column for column, _ in at],
            y=[row for _, row in at],
            mode="markers",
            name=label,
            marker={"color": theme.MEMBER, "symbol": symbol, "size": 13, "line": {"color": theme.MEMBER, "width": 2}},
            text=[f"<b>{foreign.shown(words[row])}</b><br>{label}: {readings[column].name}" for column, row in at],
        )
    drawing.update_xaxes(
        side="top",
        range=[-0.6, len(readings) - 0.4],
        tickmode="array",
        tickvals=list(range(len(readings))),
        ticktext=[f"<b>{letter}</b>" for letter in _letters(readings)],
        tickangle=0,
        showgrid=False,
    )
    drawing.update_layout(margin={"t": _HEADING + theme.TOP}, legend={"yref": "container", "y": 1, "yanchor": "top"})
    drawing.update_yaxes(
        range=[len(words) - 0.4, -0.6],
        tickmode="array",
        tickvals=list(range(len(words))),
        ticktext=[foreign.shown(foreign.cut(word, _LONGEST)) for word in words],
    )
    return drawing.figure()


def table(readings: Sequence[Reading], order: Sequence[str]) -> list[Mapping[str, object]]:
    """Return a row for each word and method, those named wrongly too."""
    return [
        {"method": reading.name, "word": word, "there": there, "named": named}
        for reading in readings
        for word, there, named in (
            *((word, True, word in reading.told.right) for word in order),
            *((word, False, True) for word in reading.told.wrong),
        )
    ]


def sentence(readings: Sequence[Reading]) -> str:
    """Read aloud how many words each method names, right and wrong, and how many all or none of them name."""
    there = max(reading.told.there for reading in readings)
    if not there:
        return _EMPTY
    said = [
        f"{letter}, {one.name}: {len(one.told.right)} right and {len(one.told.wrong)} wrong"
        for letter, one in zip(_letters(readings), readings, strict=True)
    ]
    text = f"Named, of {counted(there, 'different word')}, by {'; by '.join(said)}."
    if len(readings) > 1:
        found = [set(reading.told.right) for reading in readings]
        text += f" All of them name {len(set.intersection(*found))}, none names {there - len(set.union(*found))}."
    return text


def _letters(readings: Sequence[Reading]) -> str:
    """Return a letter for each method, by which the figure names it."""
    return ascii_uppercase[: len(readings)]
