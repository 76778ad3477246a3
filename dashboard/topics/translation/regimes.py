"""Other precomputed experiments on sentence pairs."""

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, related
from dashboard.topics.translation.figures import regimes


def show(result: Result, experiment: Experiment) -> None:
    """Draw the stored experiments, and link to all."""
    stored, missing = related.find(experiment, lambda other: not _only_traps(other, experiment))
    if not stored and not missing:
        return
    st.header("Comparison with other experiments", anchor=False)
    titles = {entry.key: entry.title for entry in catalog.entries_of(experiment.attack.part_name())}
    if stored:
        named = [(titles.get(catalog.key(experiment), "This experiment"), result.estimates)]
        named += [(_title(titles, other.experiment), other.result.estimates) for other in stored]
        chart.show(regimes, regimes.points(named), "regimes")
        drawn = [experiment, *(other.experiment for other in stored)]
        if caution := regimes.caution([other.as_dict() for other in drawn]):
            st.caption(caution)
    with st.container(horizontal=True, gap="medium"):
        for other in stored:
            related.link(other.experiment, f"Open “{_title(titles, other.experiment)}”")
        for absent in missing:
            related.link(absent, f"Not computed yet: “{_title(titles, absent)}”")


def _only_traps(other: Experiment, shown: Experiment) -> bool:
    """Tell whether an experiment is for the figure of traps only: watermarks in made-up languages, unlike here."""
    planted, here = (experiment.game.as_dict()["watermarks"] for experiment in (other, shown))
    return other.dataset.card.synthetic and planted not in (0, here)


def _title(titles: dict[str, str], experiment: Experiment) -> str:
    return titles.get(catalog.key(experiment), experiment.dataset.title)
