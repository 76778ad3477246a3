"""Names and looks of the adversaries of an example-membership game, the same in every figure."""

from dataclasses import dataclass

import pandas as pd

from core.statistics.wording.naming import adversary_name, adversary_title, lowered, spoken
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures import theme
from dashboard.kit.shared import once

ANSWER, PAPER = "likelihood_ratio", "one_threshold"
"""The strongest rule, and that of the paper; group thresholds lie between them and are in the tables only."""

GAME = "example_membership"
_PAPERS = frozenset({"cosine", "similarity", "projection"})
_AXES = {
    "cosine": "Mean cosine of the middle word with the others",
    "inner_output": "Middle word’s output × others’ input, mean",
    "similarity": "Mean cosine of neighbouring sentences",
    "projection": "Mean cosine after the learned projection",
}


Key = tuple[str, str]
"""A statistic and a rule."""


@dataclass(frozen=True)
class Series:
    """One statistic with one rule: their names in the tables, their name for people, and their look."""

    statistic: str
    rule: str
    name: str
    mark: theme.Mark

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return its rows of a table."""
        return frame[(frame["statistic"] == self.statistic) & (frame["rule"] == self.rule)]


@once
def drawn(frame: pd.DataFrame) -> list[Series]:
    """Return the series of a table that figures show, the attack's answer first."""
    present = list(dict.fromkeys(zip(frame["statistic"], frame["rule"], strict=True)))
    pairs = [(statistic, rule) for statistic, rule in present if statistic != BLIND and rule in (ANSWER, PAPER)]
    return [
        Series(statistic, rule, name(statistic, rule), mark)
        for (statistic, rule), mark in zip(pairs, theme.distinct(len(pairs)), strict=True)
    ]


@once
def endings(frame: pd.DataFrame) -> dict[Key, str]:
    """Return what the names of estimates end with, by statistic and rule, where there are estimates of both.

    >>> endings(pd.DataFrame({"statistic": ["cosine", "cosine"], "rule": ["likelihood_ratio", "one_threshold"]}))
    {('cosine', 'likelihood_ratio'): '', ('cosine', 'one_threshold'): '_one_threshold'}
    """
    present = dict.fromkeys(zip(frame["statistic"], frame["rule"], strict=True))
    first = next((statistic for statistic, rule in present if rule == ANSWER), "")
    named = {(first, ANSWER): ""}
    named |= {(first, rule): f"_{rule}" for statistic, rule in present if statistic == first and rule != ANSWER}
    named |= {(other, ANSWER): f"_{other}" for other, rule in present if other != first and rule == ANSWER}
    return {key: named[key] for key in present if key in named}


def name(statistic: str, rule: str) -> str:
    """Return the name of a statistic with a rule.

    >>> name("cosine", "one_threshold"), name("inner_output", "likelihood_ratio")
    ('Cosine, one threshold (the paper)', 'Output times input vector, likelihood ratio')
    """
    paper = " (the paper)" if statistic in _PAPERS and rule == PAPER else ""
    return f"{statistic_name(statistic)}, {lowered(adversary_name(rule, GAME))}{paper}"


@once
def statistics(frame: pd.DataFrame) -> list[str]:
    """Return the statistics of a table, the attack's first."""
    return [statistic for statistic in dict.fromkeys(frame["statistic"]) if statistic != BLIND]


def statistic_name(statistic: str) -> str:
    """Return the name of a statistic.

    >>> statistic_name("inner_output"), statistic_name("something_new")
    ('Output times input vector', 'Something new')
    """
    return adversary_title(statistic, GAME)


def axis(statistic: str) -> str:
    """Return the title of the axis of a statistic."""
    return _AXES.get(statistic, spoken(statistic))
