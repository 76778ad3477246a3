"""What the adversaries of a membership game about examples are called, and how they look in every figure."""

from dataclasses import dataclass

import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.words import spoken

ANSWER, PAPER = "likelihood_ratio", "one_threshold"
"""The strongest rule, and that of the paper; thresholds for each group lie between them and are in the tables only."""

_RULES = {ANSWER: "likelihood ratio", PAPER: "one threshold", "group_thresholds": "a threshold for each group"}
_STATISTICS = {
    "cosine": "cosine",
    "inner_output": "output times input vector",
    "similarity": "cosine",
    "projection": "learned similarity",
    "model_free": "the texts alone",
}
_PAPERS = frozenset({"cosine", "similarity", "projection"})
_AXES = {
    "cosine": "Mean cosine of the middle word with the others",
    "inner_output": "Middle word’s output × others’ input, mean",
    "similarity": "Mean cosine of neighbouring sentences",
    "projection": "Mean cosine after the learned projection",
}


@dataclass(frozen=True)
class Series:
    """One statistic with one rule.

    Attributes:
        statistic: Name of the former in the tables.
        rule: Name of the latter.
        name: What both are called.
        mark: How they look.
    """

    statistic: str
    rule: str
    name: str
    mark: theme.Mark

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of a table that are about it."""
        return frame[(frame["statistic"] == self.statistic) & (frame["rule"] == self.rule)]


def drawn(frame: pd.DataFrame) -> list[Series]:
    """Return what a table holds and figures show, the attack's own answer first."""
    present = list(dict.fromkeys(zip(frame["statistic"], frame["rule"], strict=True)))
    shown = [(statistic, rule) for statistic, rule in present if statistic != "model_free" and rule in (ANSWER, PAPER)]
    return [
        Series(statistic, rule, name(statistic, rule), mark)
        for (statistic, rule), mark in zip(shown, theme.distinct(len(shown)), strict=True)
    ]


def name(statistic: str, rule: str) -> str:
    """Return what a statistic with a rule is called.

    >>> name("cosine", "one_threshold"), name("inner_output", "likelihood_ratio")
    ('Cosine, one threshold (the paper)', 'Output times input vector, likelihood ratio')
    """
    said = f"{called(statistic, inside=True)}, {_RULES.get(rule, spoken(rule).lower())}"
    paper = " (the paper)" if statistic in _PAPERS and rule == PAPER else ""
    return said[:1].upper() + said[1:] + paper


def statistics(frame: pd.DataFrame) -> list[str]:
    """Return which statistics a table holds, the attack's own first."""
    return [statistic for statistic in dict.fromkeys(frame["statistic"]) if statistic != "model_free"]


def called(statistic: str, *, inside: bool = False) -> str:
    """Return what a statistic is called where it stands alone, or inside a sentence.

    >>> called("inner_output"), called("inner_output", inside=True)
    ('Output times input vector', 'output times input vector')
    """
    said = _STATISTICS.get(statistic, spoken(statistic).lower())
    return said if inside else said[:1].upper() + said[1:]


def axis(statistic: str) -> str:
    """Return the title of an axis along which a statistic runs."""
    return _AXES.get(statistic, spoken(statistic))
