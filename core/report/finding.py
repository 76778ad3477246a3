"""The finding of a report in one or two sentences: the clearest leak, or how close the attacks came to one."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.report.beside import uncorrected
from core.report.numbers import measured, written
from core.report.sentences import inconclusive
from core.statistics.wording.naming import capitalised


def finding(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what the headline figures say together.

    The clearest figure is the one whose interval begins furthest above chance, as a share of the way to 1.

    Args:
        results: The described results of a report. Audits that conclude nothing come first, and are not counted.
    """
    results = list(results)
    if undecided := [inconclusive(result) for result in results if result["conclusive"] is False]:
        concluding = [result for result in results if result["conclusive"] is not False]
        return [*undecided, *(_found(concluding) if concluding else [])]
    return _found(results)


def _found(results: list[Mapping[str, Any]]) -> list[str]:
    judged = [(result, figure) for result in results for figure in result["headline"] if _comparable(figure["judged"])]
    if not judged:
        return ["No figure of this report can be compared with chance."]
    result, figure = max(judged, key=lambda pair: _lead(pair[1]["judged"]))
    leaking = {
        result["key"]: _attack(result)
        for result, figure in judged
        if figure["judged"]["low"] > figure["judged"]["chance"]
    }
    return [
        f"{_counted(result['title'], list(leaking.values()), results)}. {_figure_sentence(figure)}.",
        *_beside(results, figure, bool(leaking)),
    ]


def _attack(result: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return what makes an attack one, however many defenses and seeds it met: its name, the data and the model."""
    return result["attack_title"], result["dataset"], result["model"]


def _comparable(judged: Mapping[str, Any]) -> bool:
    return judged["chance"] is not None and judged["low"] is not None and math.isfinite(judged["low"])


def _lead(judged: Mapping[str, Any]) -> float:
    left = 1 - judged["chance"]
    return float((judged["low"] - judged["chance"]) / left) if left > 0 else -1.0


def _counted(title: str, leaking: list[tuple[str, str, str]], results: list[Mapping[str, Any]]) -> str:
    """Return how many attacks find a leak, and in how many runs where an attack has several.

    Args:
        title: The run whose figure is the clearest.
        leaking: The attack of each run that finds a leak.
        results: All runs.
    """
    runs, attacks, finding = len(results), len({_attack(result) for result in results}), len(set(leaking))
    several = runs > attacks
    if attacks == 1 and not several:
        return f"{title} finds {'a leak' if leaking else 'no leak in its main figure'}"
    if not leaking:
        in_runs = f", in {runs} runs" if several else ""
        if attacks == 1:
            return f"The attack finds no leak in its main figure{in_runs}, closest {title}"
        return f"None of the {attacks} attacks{in_runs} finds a leak in its main figure. {title} comes closest"
    who = (
        "The attack finds" if attacks == 1 else f"{finding} of {attacks} attacks {'finds' if finding == 1 else 'find'}"
    )
    return f"{who} a leak{f', in {len(leaking)} of {runs} runs' if several else ''}, most clearly {title}"


def _figure_sentence(figure: Mapping[str, Any]) -> str:
    sentence = f"{capitalised(figure['label'])}: {measured(figure)}"
    if figure["chance"] is not None:
        sentence += f", chance {written(figure['chance'])}"
    return (
        f"{sentence}, and leads mismatched answers by {measured(figure['judged'])}" if figure["by_lead"] else sentence
    )


def _beside(results: Iterable[Mapping[str, Any]], figure: Mapping[str, Any], leaking: bool) -> list[str]:
    """Return what limits the first sentence: other figures, what the blind baseline gives, or what is not excluded."""
    if not leaking and any(result["above"]["count"] for result in results):
        return ["Other figures lie above chance, corrected for their number: see section 6."]
    if not leaking and (said := _uncorrected(list(results))):
        return [said, *_limits(figure, leaking)]
    return _limits(figure, leaking)


def _uncorrected(results: Sequence[Mapping[str, Any]]) -> str:
    """Say that figures lie above chance by their own intervals alone, of one result which; empty where none does."""
    said = [uncorrected(result) for result in results]
    if len(said) == 1 or not any(said):
        return said[0]
    return (
        "Other figures lie above chance by their own intervals, but none after correction for their number: see "
        "section 6."
    )


def _limits(figure: Mapping[str, Any], leaking: bool) -> list[str]:
    """Return what the blind baseline gives, or what is not excluded."""
    alone, judged = figure["alone"], figure["judged"]
    if alone is not None and _comparable(alone):
        reads = alone.get("reads", "texts")
        sentence = (
            f"The blind baseline, from the {reads} alone, gives {measured(alone)}, chance {written(alone['chance'])}"
        )
        above = alone["low"] > alone["chance"]
        return [
            f"{sentence}: {'only what exceeds this is a leak of the model' if above else 'not shown to be above it'}."
        ]
    if leaking or judged["high"] is None or not math.isfinite(judged["high"]):
        return []
    return [f"Up to {'a lead of ' if figure['by_lead'] else ''}{written(judged['high'])} is not excluded."]
