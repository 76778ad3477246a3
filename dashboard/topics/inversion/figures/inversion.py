"""The words an adversary names for one text, which of them stand there, and which it misses."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from core.text.words import words_in
from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, percent

if TYPE_CHECKING:
    import plotly.graph_objects as go

TITLE = "The likeliest words"
_MOST = 30
_BAR = 31
_FEWEST = 5
_LONGEST = 22


@dataclass(frozen=True)
class _Look:
    """How a bar is told apart: by a sign, by its filling and by what a pointer says, never by colour alone."""

    sign: str
    says: str
    colour: str
    pattern: str
    edge: str


_LOOKS = {
    (True, True): _Look(" ✓ right", "named, and there", theme.MEMBER, "", theme.MEMBER),
    (True, False): _Look(" ✗ wrong", "named, but not there", theme.NONMEMBER, "/", theme.NONMEMBER),
    (False, True): _Look(" ○ missed", "there, but not named", theme.veil(theme.MEMBER, 0x00), "", theme.MEMBER),
    (False, False): _Look("", "neither named nor there", theme.veil(theme.CHANCE, 0x60), "", theme.CHANCE),
}
"""By whether a word was named, and whether it stands in the text."""


@dataclass(frozen=True)
class Told:
    """What was read back from one text.

    Attributes:
        right: Words named that stand there, the likeliest first.
        wrong: Words named that do not.
        missed: Words that stand there and were not named; in the order of the text where that is known.
        untold: How many more were missed that only the text would tell.
    """

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    untold: int = 0

    @property
    def there(self) -> int:
        """Return how many different words stand in the text."""
        return len(self.right) + len(self.missed) + self.untold


def told(own: pd.DataFrame, text: str | None = None, there: int = 0) -> Told:
    """Return what was read back from a text.

    Args:
        own: The likeliest words for it, with those of them that were named.
        text: What it says, where that is known.
        there: How many different words stand in it; asked for only where the text is not known.
    """
    rows = records(own.sort_values("place"))
    right = tuple(row.word for row in rows if row.named and row.present)
    wrong = tuple(row.word for row in rows if row.named and not row.present)
    if text is not None:
        different = dict.fromkeys(word.group() for word in words_in(text.casefold()))
        return Told(right, wrong, tuple(word for word in different if word not in right))
    missed = tuple(row.word for row in rows if row.present and not row.named)
    return Told(right, wrong, missed, max(there - len(right) - len(missed), 0))


def figure(own: pd.DataFrame) -> "go.Figure":
    """Draw the likeliest words as bars, the named ones first: right, wrong, missed, or none of these."""
    rows = records(own.sort_values("place").head(_MOST))
    lanes = max(len(rows), _FEWEST)
    drawing = theme.blank("How likely the adversary thinks it", "", height=theme.TOP + theme.BOTTOM + _BAR * lanes)
    if not rows:
        return theme.empty(drawing, "No word was weighed.")
    looks = [_LOOKS[bool(row.named), bool(row.present)] for row in rows]
    words = [foreign.shown(foreign.cut(row.word, _LONGEST)) for row in rows]
    places = list(range(len(rows)))
    drawing.add_bar(
        x=[row.score for row in rows],
        y=places,
        orientation="h",
        marker={
            "color": [look.colour for look in looks],
            "line": {"color": [look.edge for look in looks], "width": 2},
            "pattern": {
                "shape": [look.pattern for look in looks],
                "fgcolor": theme.BACKGROUND,
                "size": 7,
                "solidity": 0.35,
            },
        },
        text=[f"{percent(row.score)}{look.sign}" for row, look in zip(rows, looks, strict=True)],
        textposition="outside",
        textfont={"size": theme.SMALL, "color": theme.INK},
        cliponaxis=False,
        hovertext=[f"<b>{word}</b>: {look.says}" for word, look in zip(words, looks, strict=True)],
        hovertemplate="%{hovertext}<br>%{x:.1%} likely<extra></extra>",
    )
    drawing.update_xaxes(range=[0, 1.5], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    drawing.update_yaxes(
        range=[lanes - 0.4, -0.6],
        tickmode="array",
        tickvals=places,
        showgrid=False,
        ticktext=[f"<b>{word}</b>" if row.present else word for word, row in zip(words, rows, strict=True)],
    )
    return drawing.figure()


def sentence(told: Told) -> str:
    """Read aloud how many of the words were named, and how many named words are not there.

    >>> sentence(Told(("the",), ("of", "to"), ("pizza",)))
    'Of 2 different words, 1 was named; 2 words named are not there.'
    """
    right, wrong = len(told.right), len(told.wrong)
    beyond = f"{counted(wrong, 'word')} named {'is' if wrong == 1 else 'are'} not there."
    if not told.there:
        return f"There is no word to be read back; {beyond}"
    if told.there == 1:
        text = f"The only word was {'named' if right else 'not named'}"
    elif right == told.there:
        text = f"All {right} different words were named"
    else:
        text = f"Of {told.there} different words, {right or 'none'} {'were' if right > 1 else 'was'} named"
    return f"{text}; {beyond if wrong else 'no word was named that is not there.'}"
