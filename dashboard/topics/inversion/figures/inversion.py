"""Words that an adversary names for one text: correct, wrong and missed ones."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from core.text.words import folded_words
from dashboard.kit.figures import axes, foreign, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

TITLE = "Most likely words"
_MOST = 30
_BAR = 31
_FEWEST = 5
_LONGEST = 22


@dataclass(frozen=True)
class _Look:
    """How a bar is distinguished: by sign, filling and hover text, not by colour alone."""

    sign: str
    meaning: str
    colour: str
    pattern: str
    edge: str


_LOOKS = {
    (True, True): _Look(" ✓ right", "named, in the text", theme.MEMBER, "", theme.MEMBER),
    (True, False): _Look(" ✗ wrong", "named, not in the text", theme.NONMEMBER, "/", theme.NONMEMBER),
    (False, True): _Look(" ○ missed", "in the text, not named", theme.veil(theme.MEMBER, 0x00), "", theme.MEMBER),
    (False, False): _Look("", "neither named nor in the text", theme.veil(theme.CHANCE, 0x60), "", theme.CHANCE),
}
"""By whether a word was named, and whether it is in the text."""


@dataclass(frozen=True)
class Recovery:
    """Words recovered from one embedding.

    Attributes:
        right: Named words that are in the text, the most likely first.
        wrong: Named words that are not in the text.
        missed: Other words of the text, in its order where the text is known.
        unknown: Number of further missed words, which only the text would show.
    """

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    unknown: int = 0

    @property
    def total(self) -> int:
        """Return the number of different words in the text."""
        return len(self.right) + len(self.missed) + self.unknown


@once
def recovered(words: pd.DataFrame, text: str | None = None, total: int = 0) -> Recovery:
    """Return the words recovered from an embedding.

    Args:
        words: Its most likely words, with whether they were named.
        text: The text, where it is known.
        total: Number of different words in the text; needed only where the text is unknown.
    """
    rows = records(words.sort_values("place"))
    right = tuple(row.word for row in rows if row.named and row.present)
    wrong = tuple(row.word for row in rows if row.named and not row.present)
    if text is not None:
        different = dict.fromkeys(folded_words(text))
        return Recovery(right, wrong, tuple(word for word in different if word not in right))
    missed = tuple(row.word for row in rows if row.present and not row.named)
    return Recovery(right, wrong, missed, max(total - len(right) - len(missed), 0))


@once
def figure(words: pd.DataFrame) -> go.Figure:
    """Draw the most likely words as bars: right, wrong, missed, or none of these."""
    rows = records(words.sort_values("place").head(_MOST))
    lanes = max(len(rows), _FEWEST)
    looks = [_LOOKS[bool(row.named), bool(row.present)] for row in rows]
    written = [f"{percent(row.score)}{look.sign}" for row, look in zip(rows, looks, strict=True)]
    named_count = _named_before_others(rows)
    room = 0 if named_count is None else theme.LINE
    drawing = theme.blank("Probability by the adversary", "", inner=_BAR * lanes + room, legend=named_count is not None)
    if not rows:
        return theme.empty(drawing, "The adversary scored no word.")
    labels = [foreign.shown(foreign.cut(row.word, _LONGEST)) for row in rows]
    signs = {"fgcolor": theme.BACKGROUND, "size": 7, "solidity": 0.35, "shape": [look.pattern for look in looks]}
    edges = {"color": [look.edge for look in looks], "width": 2}
    traces.written_bars(
        drawing,
        written,
        x=[row.score for row in rows],
        y=list(range(len(rows))),
        orientation="h",
        showlegend=False,
        marker={"color": [look.colour for look in looks], "line": edges, "pattern": signs},
        hovertext=[f"<b>{label}</b>: {look.meaning}" for label, look in zip(labels, looks, strict=True)],
        hovertemplate="%{hovertext}<br>probability %{x:.1%}<extra></extra>",
    )
    axes.written_shares(drawing, 1.0, written)
    names = [f"<b>{label}</b>" if row.present else label for label, row in zip(labels, rows, strict=True)]
    traces.name_rows(drawing, names, range=[lanes - 0.4, -0.6])
    if named_count is not None:  # named in the legend: beside the line the name would cover shares in narrow figures
        line = {"color": theme.INK, "width": 1.5, "dash": "dot"}
        theme.rule(drawing, y=named_count - 0.5, name="threshold: named above", line=line, showlegend=True)
    return drawing.figure()


def _named_before_others(rows: Sequence[Any]) -> int | None:
    """Return the number of named words where each is likelier than every other word, else None."""
    is_named = [bool(row.named) for row in rows]
    number = sum(is_named)
    return number if 0 < number < len(is_named) and all(is_named[:number]) else None


def beside_victims(words: Recovery, f1: Estimate) -> str:
    """Return the F1 of the words of one text beside that of all victims and its chance.

    >>> figures = {"low": 0.44, "high": 0.46, "chance": 0.2, "unit": "F1", "decisions": 2000}
    >>> beside_victims(Recovery(("the",), ("of", "to"), ("pizza",)), Estimate(value=0.45, **figures))
    'F1 of this one text is 40%. Over 2,000 victims it is 45% (95% interval 44–46%); chance, which names the most \
frequent words for every text, is 20%.'

    Args:
        words: Those recovered from its embedding.
        f1: The same of the victims of the result.
    """
    named = len(words.right) + len(words.wrong)
    alone = 2 * len(words.right) / (named + words.total) if named + words.total else math.nan
    victims = f"{counted(f1.n, 'victim')}" if f1.n else "all victims"
    return (
        f"F1 of this one text is {percent(alone)}. Over {victims} it is {measured_in(f1, named=True)}; chance, which "
        f"names the most frequent words for every text, is {percent(f1.chance or 0)}."
    )


def sentence(words: Recovery) -> str:
    """Read aloud how many words of the text were named, and how many named words are not in it.

    >>> sentence(Recovery(("the",), ("of", "to"), ("pizza",)))
    'Of 2 different words, 1 was named; 2 named words are not in the text.'
    """
    right, wrong = len(words.right), len(words.wrong)
    beyond = f"{counted(wrong, 'named word')} {'is' if wrong == 1 else 'are'} not in the text."
    if not words.total:
        return f"The text has no word; {beyond}"
    if words.total == 1:
        text = f"The only word was {'named' if right else 'not named'}"
    elif right == words.total:
        text = f"All {right} different words were named"
    else:
        text = f"Of {words.total} different words, {right or 'none'} {'were' if right > 1 else 'was'} named"
    return f"{text}; {beyond if wrong else 'every named word is in the text.'}"
