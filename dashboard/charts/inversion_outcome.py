"""Precision, recall and F1 of the words named, beside naming the most frequent words for every text."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.inversion.score import FREQUENCY
from dashboard.charts import shares, theme
from dashboard.charts.tables import records
from dashboard.charts.wording import measured, percent
from dashboard.words import spoken

WORDS = {"all": "All words", "content": "Content words alone"}
"""What is counted, by its name in the table."""

SAYS = (
    "Precision is the share of the words named for a text that stand there, recall the share of a text’s different "
    "words that are named, both averaged over the victims; F1 is their harmonic mean. Words that say nothing by "
    "themselves, such as “the”, can be guessed without an embedding: content words are the others."
)

_MEASURES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_ATTACK, _NAIVE, _SAME = "The attack", "Naive adversary", "Frequency alone (chance)"
_LOOKS = {
    _ATTACK: theme.Mark(theme.MEMBER, "circle", "solid"),
    _NAIVE: theme.Mark(theme.AGAINST, "diamond", "dashdot"),
    _SAME: theme.Mark(theme.CHANCE, "square", "dash"),
}
_TERMS = shares.Terms("mean over the victims")


def of(readings: pd.DataFrame, words: str) -> pd.DataFrame:
    """Return the rows about all words, or about content words."""
    return readings[readings["words"] == words]


def bars(readings: pd.DataFrame, attack: str, words: str) -> pd.DataFrame:
    """Return the bars of each measure; what frequency alone gives, the level to beat, is a bar of its own."""
    rows = records(of(readings, words))
    return shares.table(
        [
            {
                "group": _MEASURES.get(row.measure, spoken(row.measure)),
                "series": _name(row.variant, attack),
                "value": row.value,
                "low": row.low,
                "high": row.high,
                "chance": float("nan"),
            }
            for measure in _MEASURES
            for row in rows
            if row.measure == measure
        ]
    )


def figure(readings: pd.DataFrame, attack: str, words: str) -> go.Figure:
    """Draw each measure for every adversary and for frequency alone; the axis ends at 100%, so that figures compare."""
    drawn = bars(readings, attack, words)
    looks = {name: mark for name, mark in _LOOKS.items() if name in set(drawn["series"])}
    return shares.figure(
        drawn, looks, "Mean over the victims", whole=True, terms=_TERMS, empty="No victim has such a word."
    )


def sentence(readings: pd.DataFrame, attack: str, words: str) -> str:
    """Read one figure aloud, and say whether the embedding told more than frequency alone."""
    own, same = _measured(readings, attack, words), _measured(readings, FREQUENCY, words)
    if own is None:
        return "No victim has such a word."
    precision, recall, f1 = (own[measure] for measure in _MEASURES)
    text = (
        f"{measured(precision.value, precision.low, precision.high, named=True)} of the words named are there, and "
        f"{measured(recall.value, recall.low, recall.high)} of the words there are named: an F1 of "
        f"{measured(f1.value, f1.low, f1.high)}."
    )
    if same is not None:
        base = same["f1"]
        text += f" The same most frequent words for every text reach {percent(base.value)}."
        if not f1.low > base.high:
            text += " More than that is not shown: no leak."
    naive = _measured(readings, "naive", words)
    if naive is not None:
        f1 = naive["f1"]
        text += f" Who does not know the defense reaches {measured(f1.value, f1.low, f1.high)}."
    return text


def _measured(readings: pd.DataFrame, variant: str, words: str) -> dict[str, Any] | None:
    """Return the row of each measure of one adversary, or None where there was nothing to measure."""
    own = of(readings, words)
    found = {row.measure: row for row in records(own[(own["variant"] == variant) & own["value"].notna()])}
    return found if found.keys() >= _MEASURES.keys() else None


def _name(variant: str, attack: str) -> str:
    known = {attack: _ATTACK, "naive": _NAIVE, FREQUENCY: _SAME}
    return known.get(variant, spoken(variant))
