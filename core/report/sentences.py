"""The sentences of a report: each follows from an estimate, and from its interval where it compares."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.audits.model_verdict import LIKE_ITS_BASE
from core.games.stored_vectors import UNCHECKED
from core.report.beside import of_decile, of_others, of_uncorrected
from core.report.numbers import measured, written
from core.result import Estimate
from core.statistics.power import POWER, least_detectable
from core.statistics.wording.units import DECISIONS

Evidence = dict[str, list[str]]
"""Sentences against release, for it, and those that say neither."""

LIMITS = (
    "Tests are evidence about the attacks that were run, under the threat models stated. A stronger attack, more "
    "queries or other knowledge may find more.",
    "A system that withstands these attacks is not proved safe. Only a guarantee such as differential privacy bounds "
    "attacks that nobody has run.",
    "The figures hold for the data, models and settings named here. A model that is trained anew, on other texts or "
    "with other settings, needs tests of its own.",
    "Each interval holds its own figure with 95% confidence. Of twenty such figures, about one lies outside.",
    "The digests have no key. They show damage to this file, not who wrote it: whoever changes it can seal it anew. "
    "Only verification against the stored results shows whether the figures are theirs.",
)
_LOWER_FROM_FEWER = (
    ". It is lower, but the adversary also learns from fewer texts, as it keeps some back to choose how it prepares"
)


def lead_of(label: str) -> str:
    """Return what is compared with chance where a figure leads answers dealt to other victims."""
    return f"lead of {label} over answers dealt to other victims"


def ahead(knows: Mapping[str, Any], unaware: Mapping[str, Any]) -> str:
    """Say which of two adversaries does better behind a defense: the one that knows it, or the other.

    >>> ahead({"low": 0.6, "high": 0.7}, {"low": 0.5, "high": 0.55})
    'the one that knows it does better'
    >>> ahead({"low": 0.5, "high": 0.6}, {"low": 0.55, "high": 0.65})
    'their intervals overlap'
    """
    if knows["low"] > unaware["high"]:
        return "the one that knows it does better"
    if unaware["low"] > knows["high"]:
        return "the one that does not know it does better, and is the one to plan for"
    return "their intervals overlap"


def power(label: str, estimate: Estimate, *, conclusive: bool | None = None) -> str:
    """Say what a figure could have shown; nothing where an audit is not conclusive."""
    if conclusive is False:
        return f"{label}: inconclusive."
    if estimate.chance is None:
        return f"{label}: there is no chance level that a leak could be compared with."
    least = least_detectable(estimate)
    if least is None:
        return f"{label}: too few decisions, or too little spread among them, to say what would have been detected."
    return (
        f"{label}: a leak alike for all targets that makes it {written(least)} or more would have been shown to lie "
        f"above chance, {written(estimate.chance)}, with probability {POWER:g}. A smaller leak, or one in few targets, "
        "may be missed."
    )


def evidence(
    results: Iterable[Mapping[str, Any]], defenses: Sequence[Mapping[str, Any]], tolerable: float | None
) -> Evidence:
    """Return the sentences for and against release that the intervals of headline figures carry.

    Args:
        results: Descriptions of results.
        defenses: Defenses that were tried.
        tolerable: Largest leak that the user declares tolerable, as a share of the way from chance to certainty. None
            where none is declared: then nothing is evidence for release.
    """
    by_side: Evidence = {"against": [], "for": [], "neither": []}
    sides: dict[tuple[str, str], str] = {}
    behind = {(defense["key"], defense["label"]): defense for defense in defenses}
    results = sorted(results, key=lambda result: result["conclusive"] is not False)
    for result in results:
        if result["conclusive"] is False:
            sides |= {(result["key"], figure["label"]): "inconclusive" for figure in result["headline"]}
            by_side["neither"].append(inconclusive(result))
            continue
        for figure in result["headline"]:
            side, sentence = _of_figure(result, figure, tolerable, behind.get((result["key"], figure["label"])))
            sides[result["key"], figure["label"]] = side
            by_side[side].append(sentence)
        by_side["against"] += [*of_others(result), *of_decile(result)]
        by_side["neither"] += [*of_uncorrected(result), *_of_blind_baseline(result)]
    for defense in defenses:
        side, sentence = _of_defense(defense, sides[defense["key"], defense["label"]], tolerable)
        by_side[side].append(sentence)
    return by_side


def level(figure: Mapping[str, Any]) -> float | None:
    """Return what a figure must exceed: chance, and of decisions on membership what one answer each time gives."""
    chance: float | None = figure["chance"]
    if chance is None or figure["unit"] != DECISIONS or not figure["n"]:
        return chance
    return max(chance, float(figure["members"] / figure["n"]), float(figure["nonmembers"] / figure["n"]))


def inconclusive(result: Mapping[str, Any]) -> str:
    """Say that an audit concludes nothing, and why."""
    if result["like_its_base"]:
        return f"{result['title']} ({result['key']}): {LIKE_ITS_BASE[0].lower()}{LIKE_ITS_BASE[1:]}"
    if result["unchecked"]:
        return f"{result['title']} ({result['key']}): nothing can be concluded. {UNCHECKED}"
    texts = [figure["alone"] for figure in result["headline"] if figure["alone"] is not None]
    measured_alone = "; ".join(
        f"{alone['label']}, {measured(alone)}, chance {written(alone['chance'])}" for alone in texts
    )
    return (
        f"{result['title']} ({result['key']}): nothing can be concluded about the model. Without asking it, the texts "
        f"tell members from non-members ({measured_alone}), so that no figure need come from the model."
    )


def nobody(side: str, results: Iterable[Mapping[str, Any]]) -> str:
    """Return what stands where no figure speaks for a side: that there is none, or that nothing can be concluded."""
    if side == "neither":
        return "Every main figure speaks for one side. For the others, see the intervals in section 3."
    results = list(results)
    concluding = [result for result in results if result["conclusive"] is not False]
    if not concluding:
        return "Nothing can be concluded."
    uncorrected = side == "against" and any(result["above"]["uncorrected"] for result in concluding)
    but = ". But some lie above chance by their own intervals: see “Neither”" if uncorrected else ""
    if len(concluding) == len(results):
        return f"No figure speaks {side} release{but}."
    without = f"{len(results) - len(concluding)} of {len(results)} results nothing can be concluded"
    return f"From {without}; no figure of the others speaks {side} release{but}."


def _of_figure(
    result: Mapping[str, Any], figure: Mapping[str, Any], tolerable: float | None, defense: Mapping[str, Any] | None
) -> tuple[str, str]:
    """Return the side of a figure, and its sentence, given the defense that it was measured behind, if any."""
    judged, above = figure["judged"], result["above"]
    sentence = f"{result['title']} ({result['key']}): {figure['label']} is {measured(figure)}"
    if judged["chance"] is None or judged["low"] is None or judged["high"] is None:
        return "neither", f"{sentence}; it cannot be compared with chance."
    chance = f"chance is {written(figure['chance'])}" if figure["chance"] is not None else "there is no chance level"
    if figure["by_lead"]:
        sentence += f", which leads answers dealt to other victims by {measured(judged)}"
    if judged["low"] > judged["chance"]:
        return "against", f"{sentence}; {chance}. The interval lies above chance: this attack finds a leak."
    if figure["by_lead"] or not figure["low"] > figure["chance"]:
        sentence += f"; {chance}. It is not shown to be above chance"
    else:
        sentence += (
            f"; {chance}. One and the same answer each time gives {written(judged['chance'])}, which it includes"
        )
    if above["count"]:
        most = f", most of all {above['most']}" if above["most"] else ""
        return "neither", (
            f"{sentence}, but of {above['of']} figures of this result {above['count']} lie above theirs after "
            f"correction for their number{most}."
        )
    if of_decile(result):
        return "neither", f"{sentence}, but about the tenth of the targets that the attack is best at, it is."
    lead = "a lead of " if figure["by_lead"] else ""
    sentence += f"; up to {lead}{written(judged['high'])} is not excluded"
    if tolerable is None:
        return "neither", f"{sentence}, and no tolerable leak is declared."
    if figure["chance"] is None or figure["chance"] >= 1:
        return "neither", f"{sentence}, and nothing lies above chance that could be tolerable."
    limit = (judged["chance"] if figure["by_lead"] else figure["chance"]) + tolerable * (1 - figure["chance"])
    if not judged["high"] < limit:
        return "neither", f"{sentence}, where {lead}{written(limit)} is declared tolerable."
    sentence += f", which lies below {lead}{written(limit)}, declared tolerable"
    if defense and (doubt := _of_other_adversary(defense, tolerable)):
        return "neither", f"{sentence}; but {doubt}."
    if area := figure["area"]:
        chance = f"chance, {written(area['chance'])}, by its own interval"
        return "neither", f"{sentence}; but its AUC, {measured(area)}, lies above {chance}."
    return "for", f"{sentence}. It is a mean: a leak in few targets may be missed."


def _of_blind_baseline(result: Mapping[str, Any]) -> list[str]:
    baselines = [figure["alone"] for figure in result["headline"] if figure["alone"] is not None]
    return [
        f"{result['title']} ({result['key']}), {alone['label']}: without the model, the adversary reaches "
        f"{measured(alone)}. Members and non-members differ by themselves, and only what exceeds this is a leak of the "
        f"model."
        for alone in baselines
        if alone["low"] > alone["chance"]
    ]


def _of_other_adversary(defense: Mapping[str, Any], tolerable: float | None) -> str:
    """Return why what remains behind a defense may be more by the other adversary, which knows it or does not.

    Empty for one that knows it, unless the other's figure is stored, and lies above chance or may exceed what is
    tolerable. One that does not know it is never the one to judge by.
    """
    other, unaware = defense["adaptive"] or defense["naive"], defense["unaware"]
    chance = level({**other, "n": other["members"] + other["nonmembers"]}) if other and defense["twin"] else None
    if chance is None:
        return "an adversary that knows the defense may find more" if unaware else ""
    reached = (
        f"an adversary that {'knows' if unaware else 'does not know'} the defense ({defense['twin']}) reaches "
        f"{measured(other)}"
    )
    if other["low"] > chance:
        return f"{reached}, which lies above chance"
    if tolerable is not None and not other["high"] < other["chance"] + tolerable * (1 - other["chance"]):
        return f"{reached}, which is not shown to be tolerable"
    return f"{reached}, and is the one to judge by" if unaware else ""


def _of_defense(defense: Mapping[str, Any], remaining: str, tolerable: float | None) -> tuple[str, str]:
    """Return the sentence about a defense, given on which side the figure that remains stands, if on any."""
    sentence = f"{defense['title']} ({defense['key']}), {defense['adversary']}: {defense['label']} changes"
    change = defense["change"]
    if change is None:
        return "neither", f"{sentence} by an unknown amount: the result without the defense is not stored."
    sentence += f" by {measured(change)}"
    if change["low"] > 0:
        if remaining != "against":
            return "neither", f"{sentence}. The defense raises it; what remains is not shown to be above chance."
        return "against", f"{sentence}. The defense raises it: the attack finds more behind it than without it."
    if not change["high"] < 0:
        return "neither", f"{sentence}. The interval does not exclude that the defense changes nothing."
    sentence += ". The defense lowers it" if not defense["keeps_back"] else _LOWER_FROM_FEWER
    doubt = _of_other_adversary(defense, tolerable)
    if not defense["adapts"]:
        return "neither", f"{sentence}; {doubt or 'an adversary that adapts may lose less'}."
    if remaining == "against":
        return "neither", f"{sentence}, and what remains lies above chance."
    if remaining != "for":
        return "neither", f"{sentence}; {doubt or 'what remains is not shown to be tolerable'}."
    return "for", f"{sentence}, and what remains lies below what is declared tolerable."
