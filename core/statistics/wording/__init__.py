"""How figures are written in sentences, on pages, in reports and by commands; beside it, how they are named."""

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

CONSTANT = "the same in 95% of resamples"
"""What is said in place of an interval that has no width: its ends are quantiles of resamples."""


def percent(share: float) -> str:
    """Return a share in percent, with a decimal only where it matters; halves are rounded away from zero.

    >>> percent(0.894), percent(0.013), percent(0.01), percent(1.0), percent(float("nan"))
    ('89%', '1.3%', '1%', '100%', 'not measurable')
    >>> percent(1 / 40), percent(33 / 40), percent(0.0125), percent(-0.025)
    ('3%', '83%', '1.3%', '-3%')
    """
    if not math.isfinite(share):
        return "not measurable"
    if 0 < share < 0.0005:
        return f"{100 * share:.1g}%"
    return f"{rounded(share, 1 if 0 < share < 0.02 or 0.995 <= share < 1 else 0).removesuffix('.0')}%"


def rounded(share: float, digits: int = 0) -> str:
    """Return a share times 100 with that many decimals, halves away from zero: sentences, tables and figures agree.

    Halves are those of the number as it is written.

    >>> rounded(0.125), rounded(-0.125), rounded(0.00125, 2), rounded(-0.001)
    ('13', '-13', '0.13', '0')
    """
    return _rounded(100 * Decimal(repr(float(share))), digits)


def fixed(value: float, digits: int) -> str:
    """Return a number with that many decimals, halves away from zero, as `rounded` does.

    >>> fixed(0.7875, 3), fixed(-0.625, 2), fixed(-0.0001, 3), fixed(2.0, 1), fixed(float("inf"), 1)
    ('0.788', '-0.63', '0.000', '2.0', 'inf')
    """
    if not math.isfinite(value):
        return str(value)
    return _rounded(Decimal(repr(float(value))), digits)


def _rounded(number: Decimal, digits: int) -> str:
    text = f"{number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"
    return text if float(text) else text.removeprefix("-")


def measured(share: float, low: float, high: float, *, named: bool = False) -> str:
    """Return a share with its 95% interval, labelled as such if ``named``; a narrow interval gets one decimal.

    >>> measured(0.894, 0.85, 0.93), measured(0.6105, 0.6081, 0.6128), measured(1.0, 1.0, 1.0)
    ('89% (85–93%)', '61.1% (60.8–61.3%)', '100% (the same in 95% of resamples)')
    """
    if not math.isfinite(share):
        return "not measurable"
    if not math.isfinite(low) or not math.isfinite(high):
        return percent(share)
    if low >= high:
        return f"{percent(share)} ({CONSTANT})"
    value, first, last = written(share, low, high)
    return f"{value} ({ends(first, last, named=named)})"


def ends(first: str, last: str, *, named: bool = True) -> str:
    """Return a 95% interval, given both ends as `written` and `written_area` write them, labelled as such if ``named``.

    >>> ends("85%", "93%"), ends("0.80", "0.91", named=False)
    ('95% interval 85–93%', '0.80–0.91')
    """
    return f"{'95% interval ' if named else ''}{first.removesuffix('%')}–{last}"


def written(share: float, low: float, high: float) -> tuple[str, str, str]:
    """Return a share and both ends of its interval in percent, all with decimals where the interval is narrow.

    A lower end of less than a thousandth of the upper one is 0.

    >>> written(0.894, 0.85, 0.93), written(0.6105, 0.6081, 0.6128), written(0.99983, 0.9997, 0.99992)
    (('89%', '85%', '93%'), ('61.1%', '60.8%', '61.3%'), ('99.98%', '99.97%', '99.99%'))
    >>> written(0.5, 2e-7, 1.0), written(1e-5, 1e-6, 1e-4)
    (('50%', '0%', '100%'), ('0.001%', '0.0001%', '0.01%'))
    """
    value, first, last = percent(share), percent(0 if 0 < low < high / 1000 else low), percent(high)
    if first != last or not low < high:
        return value, first, last
    digits = 1 if rounded(low, 1) != rounded(high, 1) else 2
    value, first, last = (f"{rounded(end, digits)}%" for end in (share, low, high))
    return value, first, last


def measured_in(row: Any, measure: str = "value", *, named: bool = False) -> str:
    """Return a measure of a row, or the value of an estimate, with its 95% interval, labelled as such if ``named``.

    The ends are the fields ``low`` and ``high`` after the name of the measure where the row has those, else alone.
    """
    prefix = f"{measure}_" if hasattr(row, f"{measure}_low") else ""
    return measured(getattr(row, measure), getattr(row, f"{prefix}low"), getattr(row, f"{prefix}high"), named=named)


def decimal(value: float) -> str:
    """Return a probability such as an AUC with two decimals, three close to 1; halves are rounded away from zero.

    >>> decimal(0.874), decimal(0.625), decimal(0.9984), decimal(float("nan"))
    ('0.87', '0.63', '0.998', 'not measurable')
    """
    if not math.isfinite(value):
        return "not measurable"
    return fixed(value, 3 if 0.995 <= value < 1 else 2)


def area(value: float, low: float, high: float, *, named: bool = False) -> str:
    """Return an area under a curve with its 95% interval, labelled as such if ``named``.

    >>> area(0.874, 0.8, 0.91), area(0.9984, 0.9931, 1.0)
    ('0.87 (0.80–0.91)', '0.998 (0.993–1.000)')
    """
    middle, first, last = written_area(value, low, high)
    return f"{middle} ({ends(first, last, named=named)})"


def written_area(value: float, low: float, high: float) -> tuple[str, str, str]:
    """Return an area under a curve and both ends of its interval, with as many decimals as the one that needs most.

    >>> written_area(0.874, 0.8, 0.91), written_area(0.9984, 0.9931, 1.0)
    (('0.87', '0.80', '0.91'), ('0.998', '0.993', '1.000'))
    """
    digits = max((len(decimal(end).partition(".")[2]) for end in (value, low, high) if math.isfinite(end)), default=2)
    middle, first, last = (fixed(end, digits) if math.isfinite(end) else decimal(end) for end in (value, low, high))
    return middle, first, last
