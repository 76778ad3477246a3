"""The same game after fewer and after more epochs of training, over several seeds."""

from collections.abc import Iterator

import streamlit as st

from core import catalog
from core.catalog import seeds
from core.experiment import Experiment
from dashboard.kit import chart, choices, stored_results
from dashboard.topics.language_models.figures import over_epochs

_ATTACKS = ("likelihood_ratio", "loss_membership")


@st.fragment
def show(experiment: Experiment) -> None:
    """Draw the mean of every statistic against the epochs of training; nothing where no two lengths are stored."""
    measured = tuple(_measured(experiment))
    if len({epochs for _, epochs, _ in measured}) < 2:
        return
    st.header("After fewer and more epochs", anchor=False)
    measure: over_epochs.Measure = choices.few(
        "Measure", over_epochs.MEASURES, "view.over_epochs", called=over_epochs.measure_name
    )
    title = f"{over_epochs.measure_name(measure)} by epochs of training"
    chart.show(over_epochs, over_epochs.table(measured, measure), "over-epochs", measure, title=title)


def _measured(experiment: Experiment) -> Iterator[over_epochs.Measured]:
    """Yield the figures of each seed, of each attack and length of training whose seeds are all stored."""
    entries = [entry for attack in _ATTACKS for entry in catalog.entries_of(attack)]
    for group in seeds.repeated(entry for entry in entries if _setting(experiment) == _setting(entry.experiment)):
        estimates = [stored_results.readable_estimates(entry.key) for entry in group]
        if all(estimates):
            first = group[0].experiment
            yield first.attack.part_name(), int(first.model.as_dict()["epochs"]), estimates


def _setting(experiment: Experiment) -> tuple[object, ...]:
    model = {**experiment.model.as_dict(), "epochs": None}
    return experiment.dataset, experiment.game, experiment.defenses, model
