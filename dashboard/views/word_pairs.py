"""The word-pair attack on word embeddings: ask, watch it run, and see which pairs betray whom."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.word_pairs import comparisons, maps, pairs, path

TITLE = "Word pairs"
ICON = ":material/join_inner:"
ORDER = 10
ATTACK = "word_pairs"

experiment = form.experiment_form(ATTACK)
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
    target = targets.choose(result.findings["targets"])
    size = targets.size(result.findings["targets"], target)
    pairs.show(result, experiment, target)
    path.show(result, target, size)
    maps.show(result, target)
    comparisons.show(result, size)


one_target(result, experiment)
