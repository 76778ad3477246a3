"""Traps in language models, request models and translators: stored results of planted copies, drawn together."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import streamlit as st

from core import catalog
from core.catalog.entry import Entry
from core.experiment import Experiment
from core.models.causal_lm import CausalLm
from dashboard.kit import chart, panels, stored_results
from dashboard.topics.canaries.figures import traps
from dashboard.topics.canaries.figures.traps import Kind, Trapped

_METHOD = (
    "A trap is a text that its owner plants, to show later that a model was trained on it: made-up secrets in "
    "language models and in the request model, pairs of random words in the translator. Detection is the probability "
    "that a trap scores above one that was not planted. Of fuzzy copies (after Shilov et al. 2024) the first is exact, "
    "so a single one is, and each other has other words in some places{places}. The kinds of models differ in size, "
    "texts, epochs or traps, so their lines do not compare with one another: intervals are over trials of secrets, and "
    "over the watermarks of one couple of translators."
)
_SECRETS: dict[str, tuple[Kind, str]] = {
    "secret_sharer": ("language model", "demo"),
    "canary_extraction": ("request model", "paper"),
}
"""Kind of model that each attack's secrets are planted in, and the preset whose results are drawn.

A fine-tuned model may stand in the place of the preset's.
"""
_TRIALS = 10
"""Trials of a result that is drawn: of fewer, intervals say nothing."""
_WATERMARKS = "translation_overlap"


def show() -> None:
    """Draw the detection of traps by copies, where results are stored."""
    if trapped := _trapped():
        st.header(traps.TITLE, anchor=False)
        _draw(trapped)


def folded() -> None:
    """Offer the same, folded away."""
    if trapped := _trapped():
        panels.folded(traps.TITLE, partial(_draw, trapped))


def _trapped() -> tuple[Trapped, ...]:
    return tuple(
        Trapped(kind, fuzzy, result)
        for entry, kind, fuzzy in _entries()
        if (result := stored_results.readable(entry.key)) is not None
    )


def _draw(trapped: tuple[Trapped, ...]) -> None:
    points = traps.points(trapped)
    chart.show(traps, points, "traps", title="")
    panels.note(" ".join(filter(None, (traps.nulls(points), _METHOD.format(places=traps.places(trapped))))))


def _entries() -> Iterator[tuple[Entry, Kind, bool]]:
    """Yield the promised results of planted copies, each with the kind of its model and whether copies are fuzzy."""
    for attack, (kind, preset) in _SECRETS.items():
        plain = Experiment.preset(attack, preset)
        for entry in catalog.entries_of(attack):
            changed = entry.values["game"].get("changed", 0)
            asked = plain.replace(game=plain.game.replace(trials=_TRIALS, **_fuzzy(entry, plain) if changed else {}))
            model = entry.experiment.model
            if entry.experiment == asked:
                yield entry, kind, bool(changed)
            elif isinstance(model, CausalLm) and entry.experiment == asked.replace(model=model):
                yield entry, "fine-tuned language model", bool(changed)
    for entry in catalog.entries_of(_WATERMARKS):
        game = entry.values["game"]
        if game["watermarks"] and entry.experiment.dataset.part_name() == "toy_translations":
            yield entry, "translator", bool(game["changed"])


def _fuzzy(entry: Entry, plain: Experiment) -> dict[str, Any]:
    """Return what of the game may differ from the preset's where copies are fuzzy."""
    game = entry.values["game"]
    fewer = set(game["repetitions"]) <= set(plain.as_dict()["game"]["repetitions"])
    return {"changed": game["changed"], **({"repetitions": game["repetitions"]} if fewer else {})}
