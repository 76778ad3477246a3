"""Names and looks of canaries: patterns, repetitions and methods."""

from collections.abc import Iterable, Sequence

import pandas as pd

from core.statistics.wording import variants
from core.statistics.wording.naming import adversary_name, spoken
from dashboard.kit.figures import theme
from dashboard.kit.shared import once

ALL = "all"
ENDS = ("", "_low", "_high", "_chance")
"""Endings of the columns of a measure: its value, the ends of its interval, and chance."""
_PATTERNS = {"pin": "PIN", "color": "Colours", "call": "Telephone number", ALL: "All secrets"}
_LOOKS = dict(zip(_PATTERNS, theme.distinct(len(_PATTERNS)), strict=True))


def pattern_name(pattern: str) -> str:
    """Return the name of a pattern.

    >>> pattern_name("pin"), pattern_name("color"), pattern_name("postcode")
    ('PIN', 'Colours', 'Postcode')
    """
    return _PATTERNS.get(pattern, spoken(pattern))


def mark(pattern: str) -> theme.Mark:
    """Return the look of a pattern, the same in every figure."""
    return _LOOKS.get(pattern, _LOOKS[ALL])


def times(repetitions: int) -> str:
    """Return a number of repetitions in words.

    >>> times(0), times(1), times(2000)
    ('never', 'once', '2,000 times')
    """
    return {0: "never", 1: "once"}.get(repetitions, f"{repetitions:,} times")


def shown_times(repetitions: int) -> str:
    """Return a number of repetitions as the beginning of a sentence.

    >>> shown_times(0), shown_times(100)
    ('Never shown', 'Shown 100 times')
    """
    return f"Shown {times(repetitions)}" if repetitions else "Never shown"


def method(name: str, attack_method: str = "") -> str:
    """Return the name of a method; that of the attack is marked.

    >>> method("exhaustive"), method("paper", "paper")
    ('Lowest loss of all secrets', 'The paper’s schedule (the attack)')
    """
    label = adversary_name(name, "extraction")
    return f"{label} (the attack)" if name == attack_method else label


def methods(names: Iterable[str], attack_method: str) -> list[str]:
    """Return methods in the order in which they are shown, that of the attack first."""
    order = {name: position for position, name in enumerate(variants.titles("extraction"))}
    return sorted(set(names), key=lambda name: (name != attack_method, order.get(name, len(order)), name))


@once
def own_method(cells: pd.DataFrame) -> str:
    """Return the method of the attack."""
    return str(cells.loc[cells["own"], "method"].iloc[0])


@once
def over_all(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all patterns, or those of the only pattern."""
    combined = table[table["pattern"] == ALL]
    return combined if len(combined) else table


@once
def of_measure(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return a table with one measure of its rows as the columns value, low, high and chance."""
    return table.rename(columns={f"{measure}{end}": end.removeprefix("_") or "value" for end in ENDS})


def positions(repetitions: Sequence[int]) -> tuple[dict[int, int], dict[str, object]]:
    """Return the position of each number of repetitions on a categorical axis, and that axis.

    The axis is categorical because it may begin with 0, which a logarithmic axis cannot show.
    """
    numbers = sorted(set(repetitions))
    ticks = theme.categories([f"{count:,}" if count else "never" for count in numbers])
    axis = {"range": [-0.55, len(numbers) - 0.45], **ticks}
    return {count: position for position, count in enumerate(numbers)}, axis
