"""Precision, recall and F1 of the named words, beside the frequency baseline."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.inversion.score import FREQUENCY
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import adversary_name
from dashboard.kit.figures import shares, theme
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

WORDS = {"all": "All words", "content": "Content words only"}
"""Sets of words with their titles."""

NOTE = (
    "Precision is the share of the named words that are in the text, recall the share of the text’s different words "
    "that are named, both averaged over the victims; F1 is their harmonic mean. Function words such as “the” can be "
    "guessed without an embedding; content words are all others. Chance names the most frequent words for every text."
)

_MEASURES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_ATTACK = "The attack"
_NAIVE, _SAME = (adversary_name(variant, "inversion") for variant in ("naive", FREQUENCY))
_LOOKS = {
    _ATTACK: theme.Mark(theme.MEMBER, "circle"),
    _NAIVE: theme.Mark(theme.AGAINST, "diamond", "dashdot"),
    _SAME: theme.Mark(theme.CHANCE, "square", "dash"),
}
_MEANS = "Mean over the victims"
_EMPTY = "No victim has such a word."


@once
def of(readings: pd.DataFrame, words: str) -> pd.DataFrame:
    """Return the rows about all words, or about content words."""
    return readings[readings["words"] == words]


@once
def bars(readings: pd.DataFrame, attack: str, words: str) -> pd.DataFrame:
    """Return the bars of each measure, the frequency baseline included."""
    rows = records(of(readings, words))
    return shares.table(
        [
            {"group": title, "series": _name(row.variant, attack), **interval(row), "chance": float("nan")}
            for measure, title in _MEASURES.items()
            for row in rows
            if row.measure == measure
        ]
    )


@once
def figure(readings: pd.DataFrame, attack: str, words: str) -> go.Figure:
    """Draw each measure for every adversary and for the frequency baseline, on a common axis up to 100%."""
    drawn = bars(readings, attack, words)
    looks = {name: mark for name, mark in _LOOKS.items() if name in set(drawn["series"])}
    return shares.figure(drawn, looks, _MEANS, full_axis=True, share=_MEANS.lower(), empty=_EMPTY)


@once
def sentence(readings: pd.DataFrame, attack: str, words: str) -> str:
    """Read one figure aloud, and say whether the attack beats the frequency baseline."""
    attack_rows, baseline = _measured(readings, attack, words), _measured(readings, FREQUENCY, words)
    if attack_rows is None:
        return _EMPTY
    precision, recall, f1 = (attack_rows[measure] for measure in _MEASURES)
    text = (
        f"{measured_in(precision, named=True)} of the named words are in the text, and {measured_in(recall)} of the "
        f"text’s words are named: F1 is {measured_in(f1)}"
    )
    if baseline is not None:
        text += f", chance (the most frequent words) {percent(baseline['f1'].value)}"
    text += "."
    if baseline is not None and not f1.low > baseline["f1"].high:
        text += " The attack is not shown to be better: no leak is shown."
    naive = _measured(readings, "naive", words)
    if naive is not None:
        text += f" The naive adversary, who ignores the defense, reaches {measured_in(naive['f1'])}."
    return text


def _measured(readings: pd.DataFrame, variant: str, words: str) -> dict[str, Any] | None:
    """Return the row of each measure of one adversary, or None without values."""
    known = readings[(readings["variant"] == variant) & readings["value"].notna()]
    by_measure = {row.measure: row for row in records(of(known, words))}
    return by_measure if by_measure.keys() >= _MEASURES.keys() else None


def _name(variant: str, attack: str) -> str:
    return _ATTACK if variant == attack else adversary_name(variant, "inversion")
