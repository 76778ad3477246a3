"""Stored results of inversion, with Table 1 of Song and Raghunathan 2020."""

from collections.abc import Iterator

import streamlit as st

from core import catalog
from core.access import EncoderInternals
from core.experiment import Experiment
from core.games.inversion.contract import InversionAttack
from dashboard.kit import chart, panels, related, stored_results
from dashboard.topics.inversion.figures import paper as charts


def show(experiment: Experiment) -> None:
    """Draw our results beside the paper's; without any of ours, only read the paper's aloud."""
    ours = list(_ours(experiment))
    st.header("Comparison with the paper", anchor=False)
    if ours:
        chart.show(charts, charts.table(ours), "paper", drawn=ours)
        panels.folded_table(charts.table(ours), "paper-table", "Precision, recall and F1 as a table")
    notes = [] if ours else ["None of our results is computed yet.", charts.printed()]
    panels.note(" ".join([*notes, charts.NOTE]))


def access(attack: InversionAttack) -> str:
    """Return whether the adversary has the encoder (white box) or only queries it (black box)."""
    return charts.WHITE if issubclass(attack.access(), EncoderInternals) else charts.BLACK


def _ours(page_experiment: Experiment) -> Iterator[charts.Ours]:
    """Yield the catalog's stored results without a defense, as in the paper, and that of the page.

    Those that only serve for comparison with another result would repeat its labels.
    """
    for entry in catalog.entries():
        experiment = entry.experiment
        is_chosen = experiment == page_experiment
        is_aside = entry.contrast or bool(experiment.defenses)
        if not isinstance(experiment.attack, InversionAttack) or (is_aside and not is_chosen):
            continue
        estimates = stored_results.readable_estimates(catalog.key(experiment))
        if "f1" in estimates:
            yield charts.Ours(
                _about(experiment),
                _how(experiment.attack),
                access(experiment.attack),
                estimates,
                is_chosen,
            )


def _about(experiment: Experiment) -> str:
    """Return the target of an experiment: encoder, dataset and defenses."""
    defenses = [defense.named for defense in experiment.defenses]
    return ", ".join([related.encoder(experiment), experiment.dataset.title, *defenses])


def _how(attack: InversionAttack) -> str:
    """Return the method of an attack with its auxiliary data."""
    texts = "same domain" if attack.auxiliary is None else f"learnt from {attack.auxiliary.title}"
    return f"{attack.title}, {texts}"
