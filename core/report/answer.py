"""The answer of a result in one line: how often the attack is right, against chance, over how many decisions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.catalog import seeds
from core.games.example_membership import named_groups
from core.games.example_membership.contract import ExampleAttack
from core.games.membership.broken_split import is_broken
from core.games.summaries import summarised_by
from core.registry import part
from core.result import Estimate, Result, lead
from core.statistics.wording import CONSTANT, ends, measured_in, percent, written
from core.statistics.wording.naming import cases, counted, documents, measured_as, spoken, valued, written_as
from core.statistics.wording.units import CANARIES

_UNVARIED = (
    "All decisions came out alike, so that no resample varies. The interval is Wilson’s bound for as many cases as "
    "there are targets, or plays if these are fewer: the same for accuracy, AUC and advantage."
)
_OF_WORDS = ("f1", "recall_at_10")
"""Estimates whose chance names the most frequent words for every text."""
_LEAST = 1e-6
"""Smallest level of chance that is written out."""


@dataclass(frozen=True)
class Answer:
    """The answer in three parts, of which the page stresses the first.

    Attributes:
        right: How often the attack is right, of how many, such as ``right in 92% of 358 decisions``; where each target
            is decided several times, ``right in 92% of 160 decisions on 8 targets``.
        detail: About what, with the interval, chance and the number of decisions.
        name: Name of the estimate that it says.
        estimate: This estimate.
        other_sizes: The same for targets of other sizes; empty where there are none.
    """

    right: str
    detail: str
    name: str
    estimate: Estimate
    other_sizes: str = ""

    @property
    def gap(self) -> str:
        """Return the text between the first two parts: empty before a punctuation mark, else a space."""
        return "" if self.detail.startswith((",", ";", ".")) else " "


def of(result: Result) -> Answer | None:
    """Return the answer of a whole result, as `read` does."""
    attack = part("attack", str(result.experiment["attack"]["part"]))
    subject = ""
    if issubclass(attack, ExampleAttack) and "groups" in result.tables:
        group = named_groups.answered(attack, result.tables["groups"])
        subject = named_groups.phrase(group, attack.wording) if group else ""
    return read(result.estimates, result.experiment["game"], subject)


def read(estimates: Mapping[str, Estimate], game: Mapping[str, Any], subject: str = "") -> Answer | None:
    """Return the answer of a result, for the target size farthest above chance; None without a headline estimate.

    Args:
        estimates: The estimates of the result.
        game: The game of its experiment as plain values, which tells how the decisions come about.
        subject: What the decisions are about, such as “passages of 20 sentences”; empty where the question says all.
    """
    names = summarised_by(estimates, game)
    if not names:
        return None
    measured = [size for size, name in names.items() if math.isfinite(estimates[name].value)] or list(names)
    best = max(measured, key=lambda size: (lead({size: _known(estimates[names[size]])}), size))
    estimate = estimates[names[best]]
    targets = _targets(estimate, game) if _is_accuracy(names[best], estimate) else 0
    subject = f"targets of {documents(best)}" if best else subject
    about = f"of {documents(best)} " if best and targets else f"about {subject} " if subject else ""
    if known := max(game.get("prefixes", ()), default=0):
        unit = "token" if game.get("counted_in") == "tokens" else "word"
        copies = game.get("copies", ())
        often = f"that stand in the training text {min(copies)} to {max(copies)} times, " if copies else ""
        about = f"of passages {often}given the {counted(known, unit)} before each "
    if estimate.unit == CANARIES and (shown := [times for times in game.get("repetitions", ()) if times]):
        often = f"{min(shown):,} to {max(shown):,}" if min(shown) < max(shown) else f"{max(shown):,}"
        about = f", shown {often} times each " if max(shown) > 1 else ", shown once each "
    detail = f"{about}{_interval(names[best], estimate)}".rstrip()
    detail += _against(names[best], estimate, estimates.get("lead"), is_broken(game))
    detail += f"{_over(names[best], estimate, game, targets)}."
    other_sizes = [
        f"{documents(size)}: {measured_in(estimates[name])}{_compared(estimates[name])}"
        for size, name in names.items()
        if size != best
    ]
    return Answer(
        _right(names[best], estimate, targets),
        detail,
        names[best],
        estimate,
        f"Targets of {'; '.join(other_sizes)}." if other_sizes else "",
    )


def over_seeds(name: str, estimates: Sequence[Estimate], *, among: bool) -> str:
    """Return how far the answer lies apart over seeds, and what that speaks of.

    Args:
        name: Of the estimate that the answer says.
        estimates: This estimate of each seed, of three or more.
        among: Whether the answer is of one of these seeds.
    """
    mean, values = seeds.mean(estimates), [estimate.value for estimate in estimates]
    least, most = valued(name, min(values)), valued(name, max(values))
    spread = f"{least} each time" if least == most else f"{least} to {most}"
    return (
        f"Over {len(values)}{'' if among else ' other'} seeds, each with its split and trainings: {spread}, on average "
        f"{measured_as(name, mean, named=True)}. The interval above is of this split."
    )


def _right(name: str, estimate: Estimate, targets: int) -> str:
    if not math.isfinite(estimate.value):
        return "not measurable"
    if estimate.unit == CANARIES:
        return f"{round(estimate.value * estimate.n):,} of {estimate.n:,} secrets read whole"
    if name == "f1":
        return f"F1 of words {percent(estimate.value)}"
    if name == "recall_at_10":
        return f"{percent(estimate.value)} of the candidate words in the text are among them"
    if not name.startswith("accuracy"):
        return f"{spoken(name)} {valued(name, estimate.value)}"
    share, _, _ = written(estimate.value, estimate.low, estimate.high)
    if targets:
        return f"right in {share} of {counted(estimate.n, 'decision')} on {counted(targets, 'target')}"
    return f"right in {share} of {cases(estimate) if estimate.n else 'the decisions'}"


def _interval(name: str, estimate: Estimate) -> str:
    """Return the interval in brackets; of a share of canaries, with the share itself."""
    if not all(map(math.isfinite, (estimate.value, estimate.low, estimate.high))):
        return ""
    if estimate.low >= estimate.high:
        alike = estimate.n and estimate.value in (0, 1)
        return "(no interval: all decisions came out alike)" if alike else f"({CONSTANT})"
    value, low, high = written_as(name, estimate)
    return f"({value}, {ends(low, high)})" if estimate.unit == CANARIES else f"({ends(low, high)})"


def _known(estimate: Estimate) -> Estimate:
    """Return an estimate; if it has no interval, with its value as the lower end."""
    return estimate if math.isfinite(estimate.low) else estimate.model_copy(update={"low": estimate.value})


def _against(name: str, estimate: Estimate, lead_over_others: Estimate | None, by_text: bool) -> str:
    """Compare an estimate with chance, by its lead over the same answers dealt to other victims if it has one.

    Chance is what the text alone gives where a broken split tells members by it.
    """
    if estimate.chance is None:
        return ""
    if estimate.chance >= 1:
        return ". One answer is always right here, so that nothing can leak"
    chance = f"below {100 * _LEAST:g}%" if 0 < estimate.chance < _LEAST else valued(name, estimate.chance)
    guess = "chance (the most frequent words)" if name in _OF_WORDS else "chance"
    if lead_over_others is not None:
        guess = "chance (the same answers dealt to other victims)"
    if by_text:
        guess = "the blind baseline (without the model)"
    below = _verdict(lead_over_others or estimate)
    return f", {below} {guess}, {chance}" if below else f", {guess} {chance}"


def _verdict(estimate: Estimate) -> str:
    """Return how an estimate that is not above chance compares with it; empty where it is above."""
    if estimate.chance is None or not math.isfinite(estimate.low) or estimate.above_chance():
        return ""
    return "worse than" if estimate.high < estimate.chance else "not shown to be better than"


def _compared(estimate: Estimate) -> str:
    return f", {verdict} chance" if (verdict := _verdict(estimate)) else ""


def _over(name: str, estimate: Estimate, game: Mapping[str, Any], targets: int) -> str:
    if targets:
        return f"; {counted(game['plays'], 'play')}"
    if estimate.unit == CANARIES and "trials" in game:
        return f"; the interval is over {counted(game['trials'], 'trial')}"
    said_before = estimate.unit == CANARIES or _is_accuracy(name, estimate)
    return "" if said_before or not estimate.n else f"; {cases(estimate)}"


def unvaried(estimate: Estimate, game: Mapping[str, Any]) -> str:
    """Return why decisions about targets that all came out alike still have an interval; empty for other decisions."""
    if not _targets(estimate, game) or estimate.value not in (0, 1) or not estimate.low < estimate.high:
        return ""
    return _UNVARIED


def _is_accuracy(name: str, estimate: Estimate) -> bool:
    return name.startswith("accuracy") and math.isfinite(estimate.value)


def _targets(estimate: Estimate, game: Mapping[str, Any]) -> int:
    """Return how many targets the decisions are about if each play decides every target, else 0."""
    targets: int = game.get("targets", 0)
    return targets if targets * game.get("plays", 0) == estimate.members + estimate.nonmembers > 0 else 0
