"""The sentences of a report about figures beside the main ones, and the tenth of the targets that is told best."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.report.numbers import measured, written
from core.statistics.wording.naming import lowered

_NAMED = 5
"""Figures beside the main ones that a sentence names."""


def of_others(result: Mapping[str, Any]) -> list[str]:
    """Return the sentence about figures beside the main ones that lie above chance, the furthest named."""
    others = result["above"]["others"]
    if not others:
        return []
    return [
        f"{result['title']} ({result['key']}): beside the main figures, {len(others)} of this result "
        f"{'lies' if len(others) == 1 else 'lie'} above chance after correction for the number of figures"
        f"{_named(others)}."
    ]


def uncorrected(result: Mapping[str, Any]) -> str:
    """Say which figures beside the main ones lie above chance where none does after correction; empty of others."""
    figures = result["above"]["uncorrected"]
    if not figures:
        return ""
    own, lie = ("its own interval", "lies") if len(figures) == 1 else ("their own intervals", "lie")
    return (
        f"By {own}, {len(figures)} of {result['above']['of']} figures {lie} above chance, but none after correction "
        f"for their number{_named(figures)}."
    )


def of_uncorrected(result: Mapping[str, Any]) -> list[str]:
    """Return the sentence about figures that lie above chance before correction alone, with their result."""
    said = uncorrected(result)
    return [f"{result['title']} ({result['key']}): {lowered(said)}"] if said else []


def of_decile(result: Mapping[str, Any]) -> list[str]:
    """Return the sentence about the tenth of the targets that the attack is best at, where it is told."""
    worst = result["worst_decile"]
    if worst is None or not worst["low"] > 0.5:
        return []
    return [
        f"{result['title']} ({result['key']}): about the tenth of the targets that it is best at, it is right in "
        f"{measured(worst)} of the decisions; chance is 0.500. The mean over all targets hides them."
    ]


def _named(figures: Sequence[Mapping[str, Any]]) -> str:
    """Return what ends a sentence that counts figures: the first of them, or that their names are withheld."""
    named = [
        f"{figure['label']} {measured(figure)}, chance {written(figure['chance'])}"
        for figure in figures[:_NAMED]
        if figure["label"]
    ]
    rest = [f"{len(figures) - _NAMED} more"] if named and len(figures) > _NAMED else []
    return f"{': ' if named else ', withheld by name'}{'; '.join([*named, *rest])}"
