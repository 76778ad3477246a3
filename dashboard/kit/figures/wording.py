"""Shares, intervals and counts in the sentences of figures."""

from collections.abc import Sequence
from typing import Any

from core.registry import part
from core.statistics.wording import area, decimal, rounded
from core.statistics.wording.naming import adversary_title, counted
from dashboard.kit.words import minus, number

_COUNTING = 12
"""Decimals of a difference that count; those after them are of its calculation."""


def points(share: float) -> str:
    """Return a difference of shares in percentage points, with a decimal only where it is small; halves as in percent.

    >>> points(0.83 - 0.705), points(0.01), points(0.0125), points(-0.02), points(-0.0001)
    ('13 points', '1 point', '1.3 points', '−2 points', '0 points')
    """
    share = round(share, _COUNTING)
    text = minus(rounded(share, 1 if abs(share) < 0.02 else 0).removesuffix(".0"))
    return f"{text} point{'' if text.removeprefix('−') == '1' else 's'}"


def apart(first: str, second: str) -> str:
    """Return the distance of two written shares in points, so that all three figures agree.

    >>> apart("94%", "72%"), apart("6.0%", "6.5%"), apart("71% (70–74%)", "72%")
    ('22 points', '0.5 points', '1 point')
    """
    one, other = (float(text.partition("%")[0]) for text in (first, second))
    difference = f"{abs(one - other):.1f}".removesuffix(".0")
    return f"{difference} point{'' if difference == '1' else 's'}"


def area_in(row: Any, *, named: bool = False) -> str:
    """Return the area under the ROC curve of a row with its 95% interval, or alone where it has none."""
    has_interval = row.auc_low == row.auc_low
    return area(row.auc, row.auc_low, row.auc_high, named=named) if has_interval else decimal(row.auc)


def number_in(row: Any, name: str) -> str:
    """Return a number of a row with its 95% interval."""
    value, low, high = (number(getattr(row, f"{name}{end}")) for end in ("", "_low", "_high"))
    return f"{value} ({low}–{high})"


def is_or_are(count: int) -> str:
    """Return the verb after a number."""
    return "is" if count == 1 else "are"


def short(size: int) -> str:
    """Return the number of documents of a target for a label in a figure.

    >>> short(100)
    '100 docs'
    """
    return counted(size, "doc") if size else "all sizes"


UNDECIDED = "the intervals overlap, which neither shows a difference nor excludes one"
"""What is said of two estimates whose difference has no interval of its own."""


def joined(items: Sequence[str], by: str = "and") -> str:
    """Return a list as an English enumeration.

    >>> joined(["a", "b", "c"]), joined(["a", "b"], "or")
    ('a, b and c', 'a or b')
    """
    return f" {by} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def variant(name: str, attack: str = "") -> str:
    """Return the name of an adversary; the attack's own variant has the attack's title.

    >>> variant("model_free"), variant("something_new"), variant("next_word", "next_word")
    ('Blind baseline: text alone', 'Something new', 'Next-word completion (the attack)')
    """
    return f"{part('attack', name).title} (the attack)" if name == attack else adversary_title(name)
