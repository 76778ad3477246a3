"""Both adversaries behind a defense of a translator: what each is trusted to answer, then rule by rule."""

from functools import partial

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import both_adversaries, landing, panels, related, tabs
from dashboard.topics.translation.figures import thresholds

_MEAN = (
    "What is calibrated by shadow models that never saw a pair is not tried on its own pairs: most models without the "
    "defense saw each of them. There the adaptive adversary takes the mean of both kinds."
)


def tab(experiment: Experiment) -> tabs.Draw | None:
    """Return what the tab of defenses draws; None where no defense of such a translator was met by both adversaries."""
    for defended in _defended(experiment):
        if results := both_adversaries.results(defended):
            return partial(_show, defended, results, experiment)
    return None


def _show(defended: Experiment, results: tuple[Result, Result], shown: Experiment) -> None:
    """Draw both adversaries of a defended experiment, and compare their rules."""
    st.header("Under defenses", anchor=False)
    both_adversaries.show([defended], shown)
    panels.statement(thresholds.sentence(*(result.tables["methods"] for result in results)))
    panels.note(_MEAN)
    if both_adversaries.by_adaptive(shown) != defended:
        related.link(defended, "Open the adaptive adversary")


def _defended(experiment: Experiment) -> list[Experiment]:
    """Return experiments behind a defense with the same translator, by adversaries that know it; this one first."""
    adaptive = both_adversaries.by_adaptive(experiment)
    entries = catalog.entries_of(experiment.attack.part_name())
    alike = [
        entry.experiment
        for entry in entries
        if not landing.differing(adaptive, entry.experiment, ("dataset", "model", "attack", "seed"))
    ]
    return [each for each in (adaptive, *alike) if each.defenses]
