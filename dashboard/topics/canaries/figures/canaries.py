"""Canaries in words: what they are called, how often they were put among the data, and how they were read."""

from collections.abc import Iterable, Sequence

import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import spoken

ALL = "all"
_PATTERNS = {"pin": "PIN", "color": "Colours", "call": "Telephone number", ALL: "All secrets"}
_METHODS = {
    "paper": "The paper’s schedule",
    "paper_descent": "The paper’s schedule, then descent",
    "annealed": "Annealed from hot to cold",
    "annealed_descent": "Annealed, then descent",
    "exhaustive": "Every secret scored",
    "continuous": "Continuous baseline",
    "random": "Random guess",
}
"""In the order in which they are shown."""
_LOOKS = dict(zip(_PATTERNS, theme.distinct(len(_PATTERNS)), strict=True))


def called(pattern: str) -> str:
    """Return what a canary looks like, in words.

    >>> called("pin"), called("color"), called("postcode")
    ('PIN', 'Colours', 'Postcode')
    """
    return _PATTERNS.get(pattern, spoken(pattern))


def mark(pattern: str) -> theme.Mark:
    """Return how a pattern is drawn, the same in every figure."""
    return _LOOKS.get(pattern, _LOOKS[ALL])


def times(repetitions: int) -> str:
    """Return how often something was put among the data.

    >>> times(0), times(1), times(2000)
    ('never', 'once', '2,000 times')
    """
    return {0: "never", 1: "once"}.get(repetitions, f"{repetitions:,} times")


def shown(repetitions: int) -> str:
    """Return the beginning of a sentence about canaries that were put among the data so often.

    >>> shown(0), shown(100)
    ('Never shown', 'Shown 100 times')
    """
    said = times(repetitions)
    return "Never shown" if not repetitions else f"Shown {said}"


def method(name: str, own: str = "") -> str:
    """Return how canaries were read, in words; the attack's own way is called so.

    >>> method("exhaustive"), method("paper", "paper")
    ('Every secret scored', 'The paper’s schedule (the attack)')
    """
    said = _METHODS.get(name, spoken(name))
    return f"{said} (the attack)" if name == own else said


def methods(names: Iterable[str], own: str) -> list[str]:
    """Return the names of methods in the order in which they are shown, the attack's own first."""
    order = {name: place for place, name in enumerate(_METHODS)}
    return sorted(set(names), key=lambda name: (name != own, order.get(name, len(order)), name))


def own_method(cells: pd.DataFrame) -> str:
    """Return the attack's own method."""
    return str(cells.loc[cells["own"], "method"].iloc[0])


def over_all(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all patterns; where there is one pattern only, its own."""
    every = table[table["pattern"] == ALL]
    return every if len(every) else table


def words(count: int) -> str:
    """Return a number of words.

    >>> words(1), words(4)
    ('1 word', '4 words')
    """
    return counted(count, "word")


def places(repetitions: Sequence[int]) -> tuple[dict[int, int], dict[str, object]]:
    """Return where each number of repetitions stands on an axis of categories, and that axis.

    They lie side by side, for they may begin with 0, which no logarithmic axis has.
    """
    known = sorted(set(repetitions))
    axis = {
        "tickmode": "array",
        "tickvals": list(range(len(known))),
        "range": [-0.55, len(known) - 0.45],
        "ticktext": ["never" if not number else f"{number:,}" for number in known],
        "showgrid": False,
    }
    return {number: place for place, number in enumerate(known)}, axis
