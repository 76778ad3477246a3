"""Words of a document, coloured by the gain in likelihood over the reference models."""

import math
from collections.abc import Sequence

import pandas as pd

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.shared import once
from dashboard.kit.words import literal

STRONG, CLEAR = math.log(8), math.log(2)
"""Gains in nats from which a word is marked: eight times and twice as likely."""
LEGEND = (
    ":orange-background[:orange[**eight times as likely**]] or more, :orange[**at least twice**], "
    ":blue[at most half], :gray[not known to the models]"
)
"""What the colours mean."""


@once
def of(words: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the rows of a target's document, in the order of its words."""
    return words[words["target"] == target].sort_values("place").reset_index(drop=True)


@once
def coloured(words: Sequence[str], gains: Sequence[float]) -> str:
    r"""Return words as Markdown, coloured by their gains in nats.

    >>> print(coloured(["a", "b", "c", "d"], [3.0, 1.0, -1.0, 0.0]))
    :orange-background[:orange[**a**]] :orange[**b**] :blue[c] d
    """
    return " ".join(_coloured(literal(word), gain) for word, gain in zip(words, gains, strict=True))


@once
def sentence(rows: pd.DataFrame) -> str:
    """Read the colours aloud: how many words models with and without the target find twice as likely."""
    known = rows[rows["gain_in"].notna()]
    if known.empty:
        return "No model was trained on this target, or none of its words is known."
    inside = int((known["gain_in"] >= CLEAR).sum())
    text = (
        f"Models trained on this target find {inside} of its {counted(len(known), 'known word')} "
        f"({percent(inside / len(known))}) at least twice as likely as the reference models do."
    )
    without = known[known["gain_out"].notna()]
    if without.empty:
        return text
    outside = int((without["gain_out"] >= CLEAR).sum())
    return f"{text} Models without it find {outside} ({percent(outside / len(without))})."


def _coloured(word: str, gain: float) -> str:
    if not math.isfinite(gain):
        return f":gray[{word}]"
    if gain >= STRONG:
        return f":orange-background[:orange[**{word}**]]"
    if gain >= CLEAR:
        return f":orange[**{word}**]"
    return f":blue[{word}]" if gain <= -CLEAR else word
