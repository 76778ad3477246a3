"""Common mistakes in files of answers, and what works instead."""

import csv
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

_ID = re.compile("[0-9a-f]{16}")
_MOST = 1.5
"""No probability is as large, however it was rounded."""
_ALL_PERCENTS = 101.0
"""The most that all percents are together, since services round them."""
_TOLERANCE = 0.05
"""By how much rounded log-probabilities, means and variances may disagree."""
_LN10 = math.log(10)
_SEPARATORS = ",;\t"


def seen(values: Mapping[str, Any]) -> str:
    """Return what a line that breaks its form looks like, and what works instead, as a sentence; empty if unknown.

    >>> seen({"id": "sport", "label": "4dc104dbf75e7b3a"})
    "'id' and 'label' look exchanged: the id is '4dc104dbf75e7b3a', and 'label' is 'sport'."
    >>> seen({"id": "4dc104dbf75e7b3a", "probabilities": {"sport": 93.0, "news": 7.0}})
    "They are 100 together and look like percents: divide each by 100, as 'sport' by 100 is 0.93."
    >>> seen({"id": "4dc104dbf75e7b3a", "logprob": 12, "tokens": -33.3})
    "'logprob' and 'tokens' look exchanged: 'logprob' is -33.3, and 'tokens' is 12."
    """
    if not _is_id(values.get("id")):
        other = next((name for name, value in values.items() if _is_id(value)), None)
        return _exchanged("id", other, values, "the id") if other else ""
    if isinstance(values.get("probabilities"), dict):
        return _of_probabilities(values["probabilities"])
    total, tokens = values.get("logprob"), values.get("tokens")
    if _is_number(total) and _is_number(tokens) and total > 0 > tokens:
        return _exchanged("logprob", "tokens", values, "'logprob'")
    logs = values.get("logprobs", [total])
    return _of_logarithms([each for each in logs if _is_number(each)]) if isinstance(logs, list) else ""


def table(first: str, second: str) -> str:
    """Return why the first two lines of a file are rows of a table, and its second row as JSON; empty if they are not.

    >>> table("id,label", "4dc104dbf75e7b3a,sport")[-72:]
    'such as {"id": "4dc104dbf75e7b3a", "label": "sport"} for the second row.'
    """
    separator = max(_SEPARATORS, key=first.count)
    if first[:1] in ("{", "[") or not first.count(separator):
        return ""
    try:
        names, cells = (next(csv.reader([line], delimiter=separator), []) for line in (first, second))
    except csv.Error:  # a return inside a line
        return ""
    row = dict(zip(names, map(_value, cells), strict=False))
    example = json.dumps(row if len(row) > 1 else {"id": "…", "label": "…"}, ensure_ascii=False)
    return (
        f"It is {first[:60]!r}, a row of a table and no JSON. Write each row as an object on a line of its own, such "
        f"as {example[:300]}{' for the second row' if len(row) > 1 else ''}."
    )


def other_base(nats: Iterable[float | None], means: Iterable[float | None], deviations: Iterable[float | None]) -> str:
    """Return why log-probabilities are no natural logarithms, though they are at most 0; empty where they may be.

    A token of probability p and log-probability l has a share of p·l in the mean of all tokens, and of p·(l - mean)² in
    their variance; what is left of either has one sign. In a wrong base these shares are larger than the whole.
    """
    for token, (log, mean, deviation) in enumerate(zip(nats, means, deviations, strict=True), 1):
        if log is None or mean is None or deviation is None:
            continue
        share = math.exp(min(log, 0.0))
        if mean > share * log + _TOLERANCE or share * (log - mean) ** 2 > deviation**2 + _TOLERANCE:
            tenth = 10 ** min(log, 0.0)
            fits = mean <= tenth * log + _TOLERANCE and tenth * (log - mean) ** 2 <= deviation**2 + _TOLERANCE
            instead = (
                f" To base 10 they would be possible: multiply all three by ln 10 = 2.3026, here {log * _LN10:.4g}."
                if fits
                else " Mean and deviation are those of the log-probabilities of all tokens, weighted by probability."
            )
            return (
                f"Token {token} has log-probability {log:.4g}, mean {mean:.4g} and deviation {deviation:.4g}, which no "
                f"natural logarithms of probabilities have together.{instead}"
            )
    return ""


def _of_probabilities(by_class: Mapping[str, Any]) -> str:
    numbers = {name: value for name, value in by_class.items() if _is_number(value)}
    if not numbers or len(numbers) < len(by_class):
        return ""
    total, (name, largest) = sum(numbers.values()), max(numbers.items(), key=lambda pair: pair[1])
    if largest > _MOST and min(numbers.values()) >= 0 and total <= _ALL_PERCENTS:
        return (
            f"They are {total:.4g} together and look like percents: divide each by 100, as {name!r} by 100 is "
            f"{largest / 100:.4g}."
        )
    if largest <= 0 and total < 0:
        return (
            "They are at most 0 and look like natural logarithms: take e to the power of each, which is "
            f"{math.exp(largest):.4g} for {name!r}."
        )
    return ""


def _of_logarithms(logs: Sequence[float]) -> str:
    if not logs or max(logs) <= 0:
        return ""
    if min(logs) < 0:
        return ""
    if max(logs) <= 1 and len(logs) > 1:
        return (
            "They lie between 0 and 1 and look like probabilities: take the natural logarithm of each, here "
            f"{math.log(max(logs)):.4g} of {max(logs):.4g}."
        )
    return (
        "It is not negative, as the negative log-probability is that is minimised in training: put a minus before it, "
        f"as in {-max(logs):.4g}."
    )


def _exchanged(name: str, other: str, values: Mapping[str, Any], called: str) -> str:
    return (
        f"{name!r} and {other!r} look exchanged: {called} is {_shown(values[other])}, and {other!r} is "
        f"{_shown(values.get(name))}."
    )


def _shown(value: Any) -> str:
    return repr(value)[:60]


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _is_number(value: Any) -> TypeGuard[int | float]:
    """Tell whether a value is a number that is worth a remark; JSON may hold integers that no float holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) <= sys.float_info.max


def _value(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
