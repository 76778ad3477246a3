"""The single answers of results by record, and the difference of two results that answered the same questions."""

import pandas as pd

from core.result import Result
from core.statistics.intervals import Interval
from core.statistics.paired import difference_of_pairs
from core.statistics.wording import rounded
from dashboard.kit.shared import once
from dashboard.kit.words import minus

FEWEST = 20
"""Answers that two results must share to be compared in pairs."""
_COLUMNS = ["record", "asked", "truth", "right"]


@once
def answers(result: Result) -> pd.DataFrame:
    """Return a row for each answer: the record, the question about it, the truth, and whether the answer is right.

    A record is a target, or the row of a text in its dataset. A result that keeps no single answers has no row.
    """
    tables = result.tables
    if "scores" in tables and {"target", "play", "guess"} <= set(tables["scores"].columns):
        scores = tables["scores"]
        columns = scores["target"], scores["play"], scores["member"], scores["member"] == scores["guess"]
    elif "guesses" in tables and {"row", "secret", "truth"} <= set(tables["guesses"].columns):
        guesses = tables["guesses"]
        columns = guesses["row"], guesses["secret"], guesses["truth"], guesses["truth"] == guesses["guess"]
    elif "places" in tables:
        ranks = tables["places"]
        columns = ranks["row"], ranks["sentence"], ranks["sentence"], ranks["place"] == 1
    else:
        return pd.DataFrame(columns=_COLUMNS)
    table = pd.DataFrame(dict(zip(_COLUMNS, columns, strict=True)))
    return table.astype({"record": "int64", "asked": "str", "truth": "str", "right": "bool"})


@once
def paired(first: Result, second: Result) -> pd.DataFrame:
    """Return the answers of both results, ``right_first`` and ``right_second``; none if they share too few."""
    same = first.experiment["dataset"] == second.experiment["dataset"]
    if "scores" in first.tables:
        same &= all(first.experiment[name] == second.experiment[name] for name in ("game", "seed"))
    both = answers(first).merge(answers(second), on=_COLUMNS[:3], suffixes=("_first", "_second"))
    return both if same and len(both) >= FEWEST else both.iloc[:0]


@once
def difference(first: Result, second: Result) -> Interval | None:
    """Return how much more often the second is right, with its interval; None if they share too few answers."""
    both = paired(first, second)
    if both.empty:
        return None
    return difference_of_pairs(*(both[name].to_numpy() for name in ("right_second", "right_first", "record")))


def ends(gap: Interval) -> str:
    """Return both ends of a difference of shares in points, to a tenth where a whole number would hide its sign.

    >>> ends(Interval(0.1, 0.052, 0.161)), ends(Interval(-0.08, -0.162, -0.003))
    ('5 to 16 points', '−16.2 to −0.3 points')
    """
    digits = int(any(end and not float(rounded(end)) for end in (gap.low, gap.high)))
    low, high = (minus(rounded(end, digits)) for end in (gap.low, gap.high))
    return f"{low} to {high} points"
