"""Answers of all methods about one canary, and the rank of the true secret by the network's loss."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.statistics.wording.naming import counted
from core.text.canary import PATTERNS
from dashboard.kit.figures.wording import is_or_are
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries

_COLUMNS = ("method", "own", "guess", "right", "wrong", "loss")


@once
def read(guesses: pd.DataFrame, canary: Any, attack_method: str) -> pd.DataFrame:
    """Return the answers of all methods about a row of the table ``canaries``, the attack's method first."""
    answers = guesses[(guesses["model"] == canary.model) & (guesses["pattern"] == canary.pattern)]
    answers = answers.assign(right=len(canary.truth.split()) - answers["wrong"], own=answers["method"] == attack_method)
    order = canaries.methods(answers["method"], attack_method)
    position = answers["method"].map(order.index).sort_values(kind="stable")
    ordered: pd.DataFrame = answers.loc[position.index, list(_COLUMNS)]
    return ordered.reset_index(drop=True)


def origin(canary: Any, game: Mapping[str, Any]) -> str:
    """Say who chose a secret, and how often the network was shown it.

    Args:
        canary: A row of the table ``canaries``.
        game: The game of the experiment; a secret that a user entered is that of the first trial where it fits.
    """
    entered, truth = PATTERNS[canary.pattern].read(game.get("secret", "")), canary.truth.split()
    is_entered = canary.trial == 0 and entered is not None and list(entered[-len(truth) :]) == truth
    who = "This secret was entered in the form." if is_entered else "The game drew this secret at random."
    return f"{who} {canaries.shown_times(int(canary.repetitions))} to this network."


@once
def sentence(answers: pd.DataFrame, canary: Any) -> str:
    """Read the answer of the attack aloud: how many words are correct, and what the loss reveals."""
    answer = answers[answers["own"]].iloc[0]
    count = len(canary.truth.split())
    right = int(answer["right"])
    if right == count:
        words = {1: "the word is", 2: "both words are"}.get(count, f"all {count} words are")
        text = f"The attack answers “{answer['guess']}”: {words} correct."
    elif right:
        text = (
            f"The attack answers “{answer['guess']}”: {right} of {counted(count, 'word')} {is_or_are(right)} correct."
        )
    else:
        text = f"The attack answers “{answer['guess']}”: no word is correct."
    return f"{text} By the network’s loss the true secret ranks {rank(canary.rank, canary)}; {_decoy(canary)}."


def space(canary: Any) -> int:
    """Return the number of possible secrets."""
    return PATTERNS[canary.pattern].space(len(canary.truth.split()))


def rank(value: float, canary: Any) -> str:
    """Return a rank among all secrets."""
    return f"{ranked(value, canary)} of {space(canary):,}"


def ranked(value: float, canary: Any) -> str:
    """Return a rank, marked as approximate where only a sample of the secrets was scored."""
    return f"{value:,.0f}" if canary.exact else f"about {_rounded(value)}"


def bits(value: float, canary: Any) -> float:
    """Return the exposure in bits for a rank; both are estimates where only a sample of the secrets was scored."""
    return math.log2(space(canary)) - math.log2(value)


@once
def limits(exposures: pd.DataFrame, canary: Any) -> tuple[float, float]:
    """Return the largest possible exposure, and the mean of secrets that are not in the data, in bits."""
    pattern_rows = exposures[exposures["pattern"] == canary.pattern]
    return float(pattern_rows["ceiling"].iloc[0]), float(pattern_rows["chance"].iloc[0])


def _decoy(canary: Any) -> str:
    if not canary.exact:
        return f"a decoy, a secret that is not in the data, {rank(canary.control_rank, canary)}"
    before = int(canary.rank) - 1
    better = f"{counted(before, 'other fits', 'others fit')} better" if before else "no other fits better"
    return f"{better}. A decoy, a secret that is not in the data, ranks {rank(canary.control_rank, canary)}"


def _rounded(value: float) -> str:
    """Return an estimated rank with two significant digits.

    >>> _rounded(99.99), _rounded(123456.0), _rounded(6_191_118.0)
    ('100', '120,000', '6.2 million')
    """
    rounded = float(f"{value:.2g}")
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if rounded >= size:
            return f"{rounded / size:,g} {name}"
    return f"{rounded:,.0f}"
