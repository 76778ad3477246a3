"""Conditions on estimates, such as ``auc.low > 0.55``, on which a pipeline stops."""

import math
import operator
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from core.audits.asked_about import AskedAbout
from core.audits.model_verdict import LIKE_ITS_BASE, leaks_beside, others_above
from core.errors import InvalidSpec, suggestion
from core.games.membership.broken_split import WARNING, is_broken
from core.games.stored_vectors import UNCHECKED
from core.report import audited
from core.report.sentences import power
from core.result import Result
from core.statistics.intervals import low_of_many
from core.statistics.measures import LOW_RATES
from core.statistics.wording.naming import capitalised

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_PARTS = ("value", "low", "high", "chance", "n", "members", "nonmembers", "decisions")
_FORM = re.compile(r"\s*(?P<name>\S+)\.(?P<part>\w+)\s*(?P<operator>[<>=!]+)\s*(?P<number>\S+)\s*")


@dataclass(frozen=True)
class Condition:
    """A part of an estimate compared with a number.

    Attributes:
        name: Name of the estimate.
        part: Which part of it: its value, an end of its interval, its chance, or a count.
        sign: How they are compared.
        number: What it is compared with.
    """

    name: str
    part: str
    sign: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a condition.

        >>> Condition.parse("auc.low > 0.55")
        Condition(name='auc', part='low', sign='>', number=0.55)

        Raises:
            InvalidSpec: It is not of the form ``name.part operator number``.
        """
        match = _FORM.fullmatch(text)
        if match is None:
            raise InvalidSpec(
                f"A condition must be an estimate's name and part, an operator and a number, such as "
                f"'auc.low > 0.55'. Got {text!r} instead.",
                "fail_if",
            )
        if match["part"] not in _PARTS:
            raise InvalidSpec(
                f"An estimate has no part {match['part']!r}.{suggestion(match['part'], _PARTS)}", "fail_if"
            )
        if match["operator"] not in _OPERATORS:
            raise InvalidSpec(
                f"A condition compares by one of {', '.join(_OPERATORS)}. Got {match['operator']!r} instead.", "fail_if"
            )
        try:
            number = float(match["number"])
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InvalidSpec(f"A condition ends in a finite number. Got {match['number']!r} instead.", "fail_if")
        return cls(match["name"], match["part"], match["operator"], number)

    def holds(self, result: Result) -> str:
        """Return the sentence that says why the condition holds of a result; empty where it does not.

        What could not be measured fulfils every condition: a pipeline must not go on for lack of a measurement.

        Raises:
            InvalidSpec: The result has no such estimate, or the estimate has no chance level.
        """
        if self.name not in result.estimates and of_rate(self.name) in result.estimates:
            return f"{self.name} could not be measured: too few non-members for so low a false-positive rate."
        if self.name not in result.estimates:
            names = sorted(result.estimates)
            raise InvalidSpec(f"The result has no estimate {self.name!r}.{suggestion(self.name, names)}", "fail_if")
        value = getattr(result.estimates[self.name], self.part)
        if value is None:
            raise InvalidSpec(f"The estimate {self.name!r} has no chance level to compare with.", "fail_if")
        if not math.isfinite(value):
            return f"{self.name}.{self.part} could not be measured, so that {self} is not excluded."
        if not _OPERATORS[self.sign](value, self.number):
            return ""
        return f"{self.name}.{self.part} is {value:.6g}, which fulfils the condition {self}."

    def bounds_a_leak(self) -> bool:
        """Tell whether a figure, by its value or the lower end of its interval, is to stay below a bound."""
        return self.part in ("value", "low") and self.sign in (">", ">=")

    def __str__(self) -> str:
        """Return the condition as it is written."""
        return f"{self.name}.{self.part} {self.sign} {self.number:g}"


def of_rate(name: str) -> str | None:
    """Return the AUC that stands beside a true-positive rate at a low false-positive rate; None of other names."""
    return next((f"auc{name.removeprefix(rate)}" for rate in LOW_RATES if name.startswith(rate)), None)


def inconclusive(result: Result) -> str:
    """Return the sentence that says why a result concludes nothing; empty where it does.

    Members that a deliberately broken split chose are told by the text alone. In an audit of a model, where the blind
    baseline tells ins from outs, or the model is its own base, no figure says anything about the model. There, a
    condition on a leak that does not hold does not count as passed.
    """
    if is_broken(result.experiment.get("game")):
        return f"{WARNING} No condition is decided."
    if audited.is_its_base(result):
        return f"{LIKE_ITS_BASE} No condition is decided."
    if audited.conclusive(result) is not False:
        return ""
    blind = result.estimates[audited.BLIND]
    return (
        f"Nothing can be concluded: the documents alone tell ins from outs, {audited.BLIND}.low is {blind.low:.6g}, "
        f"above chance ({blind.chance:g}). No condition is decided."
    )


def leaking_beside(result: Result) -> str:
    """Return the sentence that says which other statistics find a leak where the planned one of an audit finds none."""
    others = others_above(result.estimates) if audited.is_audit(result) else {}
    if not others:
        return ""
    beside = leaks_beside(others, AskedAbout.of(result).unit)
    return f"The planned statistic finds nothing. {beside} No condition is decided."


def leaking_unasked(result: Result, conditions: Collection[Condition]) -> str:
    """Return the sentence that says which figure above chance no condition asks about; empty where there is none.

    Decisions at one threshold may show nothing where their scores, by the AUC, tell members. Intervals are widened for
    the number of sizes of targets.
    """
    main, asked = audited.main_figures(result).values(), {condition.name for condition in conditions}
    areas = [name.replace("accuracy", "auc", 1) for name in main]
    for name in dict.fromkeys([*areas, *main]):
        is_asked = not asked.isdisjoint({name, re.sub(r"_\d+$", "", name)})  # of one size of targets, or of all
        figure = None if is_asked else result.estimates.get(name)
        if figure is None or figure.chance is None:
            continue
        if low_of_many(figure.value, figure.low, len(areas)) > figure.chance:
            return (
                f"No condition holds, yet {name}.low is {figure.low:.6g}, above chance ({figure.chance:g}), and no "
                f"condition asks about {name}. '{name}.low > {figure.chance:g}' would."
            )
    return ""


def not_excluded(result: Result, conditions: Collection[Condition]) -> str:
    """Return the sentences that say which intervals hold the bound of a condition on a leak that does not hold.

    Where such a figure is not shown to be above chance either, they say what leak it could have shown. A figure whose
    upper end another condition bounds is left out.
    """
    bounded = {condition.name for condition in conditions if condition.part == "high"}
    said: dict[str, None] = {}
    for condition in conditions:
        figure = result.estimates.get(condition.name)
        if figure is None or figure.chance is None or condition.name in bounded or not condition.bounds_a_leak():
            continue
        if figure.high > condition.number:
            upper = f"{condition.name} up to {figure.high:.6g} is not excluded"
            said[f"{condition} does not hold, but the interval holds its bound: {upper}."] = None
            if not figure.above_chance() and "lead" not in result.estimates:
                said[capitalised(power(audited.labelled(condition.name, result), figure))] = None
    return " ".join(said)


@dataclass(frozen=True)
class Decided:
    """What conditions say of a result together.

    Attributes:
        reasons: Why conditions hold, a sentence each.
        undecided: Why none is decided; empty where one is.
        warning: What a pipeline that goes on should know; empty where there is nothing.
    """

    reasons: tuple[str, ...] = ()
    undecided: str = ""
    warning: str = ""


def decided(result: Result, conditions: Sequence[Condition]) -> Decided:
    """Return what conditions say of a result; nothing where there are none.

    Raises:
        InvalidSpec: The result has no estimate of one.
    """
    if not conditions:
        return Decided()
    reasons = tuple(dict.fromkeys(reason for condition in conditions if (reason := condition.holds(result))))
    if nothing := inconclusive(result):
        return Decided(undecided=nothing)
    if reasons:
        return Decided(reasons)
    if audited.is_unchecked(result):
        return Decided(undecided=f"{UNCHECKED} No condition is decided.")
    if beside := leaking_beside(result):
        return Decided(undecided=beside)
    remarks = [leaking_unasked(result, conditions), not_excluded(result, conditions)]
    return Decided(warning=" ".join(filter(None, remarks)))


def stopping(result: Result, conditions: Sequence[Condition]) -> list[str]:
    """Return why a pipeline must stop at a result; where it need not, warn of a leak that no condition asks about.

    Raises:
        InvalidSpec: The result has no estimate of a condition.
    """
    outcome = decided(result, conditions)
    if outcome.warning:
        warnings.warn(outcome.warning, stacklevel=3)
    return [*outcome.reasons, *filter(None, [outcome.undecided])]


def check(result: Result, condition: str) -> str:
    """Return the sentence that says why a condition holds of a result, or cannot be decided; empty where it does not.

    Where a pipeline may go on although a figure that the condition does not ask about lies above chance, that is a
    warning of Python.

    Args:
        result: The result.
        condition: Such as ``auc.low > 0.55``.

    Raises:
        InvalidSpec: It is no condition, or the result has no such estimate.
    """
    return next(iter(stopping(result, [Condition.parse(condition)])), "")
