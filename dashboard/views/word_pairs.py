"""Word pairs: ask, watch it run, and see which pairs give away which target."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import forms, panels
from dashboard.sections import comparisons, decisions, maps, outcome, pairs, path, targets

TITLE = "Word pairs"
ICON = ":material/join_inner:"
ORDER = 10
ATTACK = "word_pairs"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, outcome.live(experiment))
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
outcome.show(result)
decisions.show(result)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw what depends on the target that is looked at; choosing another leaves the rest of the page alone."""
    target = targets.choose(result.tables["targets"])
    size = targets.size(result.tables["targets"], target)
    pairs.show(result, experiment, target)
    path.show(result, target, size)
    maps.show(result, target)
    comparisons.show(result, size)


one_target(result, experiment)
