"""The papers of these attacks beside this result."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels
from dashboard.topics.language_models import over_epochs
from dashboard.topics.language_models.figures import paper


def show(experiment: Experiment, result: Result) -> None:
    """Draw what the papers report, the areas under the curve here, and those after other lengths of training."""
    st.header("Comparison with the papers", anchor=False)
    panels.table(paper.rows(result), "papers", paper.sentence(result), title="Reported and measured")
    panels.note(paper.NOTE)
    over_epochs.show(experiment)
