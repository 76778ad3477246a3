"""The answer of a result in one line: how often the attack is right, against chance, over how many decisions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.result import Estimate, headline, lead
from dashboard.kit.figures.wording import (
    area,
    cases,
    counted,
    decimal,
    documents,
    measured,
    measured_in,
    percent,
    written,
)
from dashboard.kit.shared import once
from dashboard.kit.words import spoken

_CANARIES = "share of canaries"
_LEAST = 1e-6
"""Smallest level of chance that is written out."""


@dataclass(frozen=True)
class Answer:
    """The answer in three parts, of which the page stresses the first.

    Attributes:
        right: How often the attack is right, such as ``right in 92 of 100 cases``.
        rest: About what, with the interval, chance and the number of decisions.
        others: The same for targets of other sizes; empty where there are none.
    """

    right: str
    rest: str
    others: str = ""

    @property
    def gap(self) -> str:
        """Return what stands between the first two parts: nothing before a punctuation mark, else a space."""
        return "" if self.rest.startswith((",", ";", ".")) else " "


@once
def read(estimates: Mapping[str, Estimate], game: Mapping[str, Any], asked: str = "") -> Answer | None:
    """Return the answer of a result, for the target size farthest above chance; None without a headline estimate.

    Args:
        estimates: The estimates of the result.
        game: The game of its experiment as plain values, which tells how the decisions come about.
        asked: What the decisions are about, such as “passages of 20 sentences”; empty where the question says all.
    """
    names = headline(estimates)
    if not names:
        return None
    measured = [size for size, name in names.items() if math.isfinite(estimates[name].value)] or list(names)
    best = max(measured, key=lambda size: (lead({size: _known(estimates[names[size]])}), size))
    estimate = estimates[names[best]]
    asked = f"targets of {documents(best)}" if best else asked
    about = f"about {asked} " if asked else ""
    rest = f"{about}{_interval(names[best], estimate)}".rstrip()
    rest += f"{_against(names[best], estimate, estimates.get('lead'))}{_over(estimate, game)}."
    others = [
        f"{documents(size)}: {measured_in(estimates[name])}{_compared(estimates[name])}"
        for size, name in names.items()
        if size != best
    ]
    return Answer(_right(names[best], estimate), rest, f"Targets of {'; '.join(others)}." if others else "")


def _right(name: str, estimate: Estimate) -> str:
    if not math.isfinite(estimate.value):
        return "not measurable"
    if estimate.unit == _CANARIES:
        return f"{round(estimate.value * estimate.n):,} of {estimate.n:,} secrets read whole"
    if name == "f1":
        return f"F1 of the words {percent(estimate.value)}"
    if name == "recall_at_10":
        return f"{percent(estimate.value)} of the candidate words in the text are among them"
    if not name.startswith("accuracy"):
        return f"{spoken(name)} {_value(name, estimate.value)}"
    shown, _, _ = written(estimate.value, estimate.low, estimate.high)
    return f"right in {shown.removesuffix('%')} of 100 cases"


def _interval(name: str, estimate: Estimate) -> str:
    """Return the interval in brackets, after the share itself where that is not said yet."""
    if not all(map(math.isfinite, (estimate.value, estimate.low, estimate.high))):
        return ""
    if estimate.low >= estimate.high:
        alike = estimate.n and estimate.value in (0, 1)
        return "(no interval: all decisions came out alike)" if alike else "(no interval)"
    if estimate.unit == _CANARIES:
        return f"({measured_in(estimate, named=True).replace(' (', ', ').removesuffix(')')})"
    reading = area if _is_area(name) else measured
    shown = reading(estimate.value, estimate.low, estimate.high, named=True)
    return shown[shown.index("(") :]


def _is_area(name: str) -> bool:
    return name.startswith("auc")


def _value(name: str, value: float) -> str:
    return decimal(value) if _is_area(name) else percent(value)


def _known(estimate: Estimate) -> Estimate:
    """Return an estimate whose interval starts at its value where it has none."""
    return estimate if math.isfinite(estimate.low) else estimate.model_copy(update={"low": estimate.value})


def _against(name: str, estimate: Estimate, lead_over_others: Estimate | None) -> str:
    """Compare an estimate with its chance: by its lead over answers dealt to other victims, where it has one."""
    if estimate.chance is None:
        return ""
    if estimate.chance >= 1:
        return ". One answer is always right here, so that nothing can leak"
    chance = f"below {100 * _LEAST:g}%" if 0 < estimate.chance < _LEAST else _value(name, estimate.chance)
    guess = "chance (the most frequent words)" if name == "f1" else "chance"
    if lead_over_others is not None:
        guess = "chance (the same answers dealt to other victims)"
    below = _verdict(lead_over_others or estimate)
    return f", {below} {guess}, {chance}" if below else f", {guess} {chance}"


def _verdict(estimate: Estimate) -> str:
    """Return how an estimate that is not above chance compares with it; empty where it is above."""
    if estimate.chance is None or not math.isfinite(estimate.low) or estimate.above_chance():
        return ""
    return "worse than" if estimate.high < estimate.chance else "not shown to be better than"


def _compared(estimate: Estimate) -> str:
    return f", {verdict} chance" if (verdict := _verdict(estimate)) else ""


def _over(estimate: Estimate, game: Mapping[str, Any]) -> str:
    if estimate.unit == _CANARIES or not estimate.n:
        return ""
    targets, plays = game.get("targets", 0), game.get("plays", 0)
    if targets * plays == estimate.members + estimate.nonmembers > 0:
        return f"; {counted(targets, 'target')} × {counted(plays, 'play')}"
    return f"; {cases(estimate)}"
