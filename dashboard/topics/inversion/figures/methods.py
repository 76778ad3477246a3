"""Words of one text that each method of inversion names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.statistics.wording.naming import capitalised, counted
from dashboard.kit.figures import foreign, scatter, theme, traces
from dashboard.topics.inversion.figures.inversion import Recovery

TITLE = "Comparison of methods"
_ROW = 27
_HEADING = 120
_MOST = 40
_LONGEST, _COLUMN = 18, 16
_DOT, _EDGE = theme.Mark(theme.MEMBER, "circle"), {"color": theme.MEMBER, "width": 2}
_EMPTY = "The text has no word."


@dataclass(frozen=True)
class MethodRecovery:
    """Words of the text that one method recovered.

    Attributes:
        name: Name of the method.
        words: The words it named, and those it missed.
    """

    name: str
    words: Recovery


def figure(readings: Sequence[MethodRecovery], order: Sequence[str]) -> go.Figure:
    """Draw a row for each known word of the text and a column for each method: filled where it named the word."""
    words = order[:_MOST]
    drawing = theme.blank("", "", height=_HEADING + theme.TOP + _ROW * max(len(words), 3) + 20, legend=True)
    if not words:
        return theme.empty(drawing, _EMPTY)
    for is_named, label in ((True, "named"), (False, "missed")):
        cells = [
            (column, row)
            for column, reading in enumerate(readings)
            for row, word in enumerate(words)
            if (word in reading.words.right) == is_named
        ]
        columns, rows = [column for column, _ in cells], [row for _, row in cells]
        hover = [f"<b>{foreign.shown(words[row])}</b><br>{label}: {readings[column].name}" for column, row in cells]
        scatter.points(drawing, columns, rows, _DOT, label, hover, size=13, edge=_EDGE, hollow=not is_named)
    names = theme.categories([foreign.shown(capitalised(reading.name), _COLUMN) for reading in readings])
    drawing.update_xaxes(side="top", range=[-0.6, len(readings) - 0.4], tickangle=-90, **names)
    drawing.update_layout(margin={"t": _HEADING + theme.TOP})
    traces.name_rows(drawing, [foreign.shown(foreign.cut(word, _LONGEST)) for word in words], showgrid=True)
    return drawing.figure()


def table(readings: Sequence[MethodRecovery], order: Sequence[str]) -> list[Mapping[str, object]]:
    """Return a row for each word and method, wrongly named words included."""
    return [
        {"method": reading.name, "word": word, "there": there, "named": is_named}
        for reading in readings
        for word, there, is_named in (
            *((word, True, word in reading.words.right) for word in order),
            *((word, False, True) for word in reading.words.wrong),
        )
    ]


def sentence(readings: Sequence[MethodRecovery]) -> str:
    """Read aloud how many words each method names, and how many all or none of them name."""
    total = max(reading.words.total for reading in readings)
    if not total:
        return _EMPTY
    counts = [
        f"{reading.name}, {len(reading.words.right)} right and {len(reading.words.wrong)} wrong" for reading in readings
    ]
    text = f"Words named, of {counted(total, 'different word')} in the text: {'; '.join(counts)}."
    if len(readings) > 1:
        right = [set(reading.words.right) for reading in readings]
        every, none = len(set.intersection(*right)), total - len(set.union(*right))
        text += f" {_words_were(every)} found by every method; {_words_were(none).lower()} missed by all."
    return text


def _words_were(number: int) -> str:
    """Return a number of words as the subject of a sentence in the past."""
    return f"{counted(number, 'word')} {'was' if number == 1 else 'were'}" if number else "No word was"
