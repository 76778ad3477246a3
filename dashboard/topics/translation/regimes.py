"""Precomputed experiments about sentence pairs beside the one looked at."""

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels, related
from dashboard.kit.figures import foreign
from dashboard.topics.translation.figures import regimes


def show(result: Result, experiment: Experiment) -> None:
    """Draw the experiments that are here, and lead to the others."""
    here, missing = related.find(experiment, lambda _: True)
    if not here and not missing:
        return
    st.header("Beside other experiments", anchor=False)
    titles = {entry.experiment.key: entry.title for entry in catalog.entries()}
    if here:
        shown = [(f"<b>{_label(titles.get(experiment.key, 'This experiment'))}</b>", result.estimates)]
        shown += [(_label(_called(titles, one.experiment)), one.result.estimates) for one in here]
        points = regimes.points(shown)
        panels.figure(regimes.figure(points), points, "regimes", regimes.sentence(points), title=regimes.TITLE)
    with st.container(horizontal=True, gap="medium"):
        for one in here:
            related.link(one.experiment, f"Open “{_called(titles, one.experiment)}”")
        for other in missing:
            related.link(other, f"Not computed here yet: “{_called(titles, other)}”")


def _called(titles: dict[str, str], experiment: Experiment) -> str:
    return titles.get(experiment.key, experiment.dataset.title)


def _label(title: str) -> str:
    return foreign.shown(title, 26)
