"""What each method read of one canary, word by word, and how far the truth stands out by the network's loss."""

import math
from typing import Any

import pandas as pd

from core.text.canary import PATTERNS
from dashboard.charts import canaries
from dashboard.charts.wording import counted

_COLUMNS = ("method", "own", "guess", "right", "wrong", "loss")


def read(guesses: pd.DataFrame, canary: Any, own: str) -> pd.DataFrame:
    """Return what each method read of a canary, the attack first.

    Args:
        guesses: As the game declares it.
        canary: Its row of the table ``canaries``.
        own: The attack's own method.
    """
    mine = guesses[(guesses["model"] == canary.model) & (guesses["pattern"] == canary.pattern)]
    mine = mine.assign(right=len(canary.truth.split()) - mine["wrong"], own=mine["method"] == own)
    order = canaries.methods(mine["method"], own)
    place = mine["method"].map(order.index).sort_values(kind="stable")
    shown: pd.DataFrame = mine.loc[place.index, list(_COLUMNS)]
    return shown.reset_index(drop=True)


def sentence(answers: pd.DataFrame, canary: Any) -> str:
    """Read the answer of the attack aloud: how many words are right, and what the loss itself tells."""
    own = answers[answers["own"]].iloc[0]
    count = len(canary.truth.split())
    right = int(own["right"])
    if right == count:
        text = f"The attack reads “{own['guess']}”: {_all(count)} right."
    elif right:
        text = f"The attack reads “{own['guess']}”: {right} of {canaries.words(count)} {_are(right)} right."
    else:
        text = f"The attack reads “{own['guess']}”: no word is right."
    return f"{text} By the network’s loss the true secret ranks {rank(canary.rank, canary)}; {_decoy(canary)}."


def space(canary: Any) -> int:
    """Return how many secrets are possible."""
    return PATTERNS[canary.pattern].space(len(canary.truth.split()))


def rank(value: float, canary: Any) -> str:
    """Return a rank among all secrets."""
    return f"{place(value, canary)} of {space(canary):,}"


def place(value: float, canary: Any) -> str:
    """Return a rank without what it is a rank among; an estimate is said to be one."""
    return f"{value:,.0f}" if canary.exact else f"about {_rounded(value)}"


def bits(value: float, canary: Any) -> float:
    """Return the exposure that a rank means, bits.

    Where a sample was ranked, the rank is an estimate, and so is this.
    """
    return math.log2(space(canary)) - math.log2(value)


def limits(exposures: pd.DataFrame, canary: Any) -> tuple[float, float]:
    """Return the exposure that cannot be exceeded, and that of secrets that were never learnt, bits."""
    own = exposures[exposures["pattern"] == canary.pattern]
    return float(own["ceiling"].iloc[0]), float(own["chance"].iloc[0])


def _decoy(canary: Any) -> str:
    if not canary.exact:
        return f"a decoy, a secret that it never learnt, {rank(canary.control_rank, canary)}"
    before = int(canary.rank) - 1
    better = f"{counted(before, 'other suits', 'others suit')} it better" if before else "no other suits it better"
    return f"{better}. A decoy, a secret that it never learnt, ranks {rank(canary.control_rank, canary)}"


def _rounded(value: float) -> str:
    """Return an estimated rank with the two digits that it is worth.

    >>> _rounded(99.99), _rounded(123456.0), _rounded(6_191_118.0)
    ('100', '120,000', '6.2 million')
    """
    whole = float(f"{value:.2g}")
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if whole >= size:
            return f"{whole / size:,g} {name}"
    return f"{whole:,.0f}"


def _all(count: int) -> str:
    return {1: "the word is", 2: "both words are"}.get(count, f"all {count} words are")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
