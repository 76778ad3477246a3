"""The evidence of lessons: estimates and settings of stored results, for texts and predictions."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from core import catalog
from core.catalog import Entry
from core.errors import UnknownPart
from core.games.membership.broken_split import is_broken
from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.units import AREA, in_percent
from core.statistics.wording.variants import BLIND
from dashboard.kit import stored_results
from dashboard.kit.words import number
from dashboard.topics.lessons.lesson import Measured

PLACEHOLDER = re.compile(r"\{([\w.]+)(?::([\w.]+)|@([\w.]+))\}")
"""A part of a text that a result fills: an estimate, or a setting."""


class Missing(LookupError):
    """A result of a lesson is not installed, or lacks an estimate."""


@cache
def entry(name: str) -> Entry:
    """Return the entry of the catalogue with a name.

    Raises:
        Missing: There is none.
    """
    try:
        return catalog.matching(name)[0]
    except UnknownPart:
        raise Missing(name) from None


def estimate(measured: Measured) -> Estimate:
    """Return an estimate; without chance where that is what the text alone gives, which a lesson asks about itself.

    Raises:
        Missing: It is not stored.
    """
    key = entry(measured.result).key
    known = stored_results.readable_estimates(key)
    if measured.estimate not in known:
        raise Missing(f"{measured.result}: {measured.estimate}")
    figure = known[measured.estimate]
    if is_broken(entry(measured.result).values["game"]) and BLIND not in measured.estimate:
        return figure.model_copy(update={"chance": None})
    if not measured.estimate.startswith("group_"):
        return figure
    if (result := stored_results.load(key)) is None:
        raise Missing(measured.result)
    return entry(measured.result).experiment.game.counted({measured.estimate: figure}, result.tables)[measured.estimate]


def estimates(measured: Mapping[str, Measured]) -> dict[str, Estimate]:
    """Return estimates by the names of their rows.

    Raises:
        Missing: One is not stored.
    """
    return {name: estimate(row) for name, row in measured.items()}


def filled(text: str) -> str:
    """Return a text with the values of its placeholders.

    Raises:
        Missing: A value is not stored.
    """
    return PLACEHOLDER.sub(_value, text)


def written(figure: Estimate) -> str:
    """Return an estimate with its 95% interval, or a count.

    >>> written(Estimate(value=0.5, low=0.4, high=0.6, chance=None, unit="share of decisions"))
    '50% (40–60%)'
    >>> written(Estimate(value=12.3, low=12.1, high=12.5, chance=1.4, unit="bits"))
    '12.3 bits (12.1–12.5)'
    """
    is_count = figure.low == figure.high
    if in_percent(figure.unit):
        return percent(figure.value) if is_count else measured_in(figure)
    value = f"{number(figure.value)} {unit(figure)}".rstrip()
    return value if is_count else f"{value} ({number(figure.low)}–{number(figure.high)})"


def unit(figure: Estimate) -> str:
    """Return the unit that stands behind a value; none behind a probability, such as an AUC."""
    return "" if figure.unit == AREA else figure.unit


def _value(match: re.Match[str]) -> str:
    name, figure, setting = match.groups()
    if figure:
        return written(estimate(Measured(name, figure)))
    value: Any = entry(name).values
    for part in setting.split("."):
        value = value[int(part)] if isinstance(value, list | tuple) else value[part]
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
