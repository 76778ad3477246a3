"""Classifier probing: ask, watch it run, and see which words flip the classifier's labels."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import forms, panels
from dashboard.sections import decisions, label_queries, outcome, probes, probing_paper, targets, telling_words

TITLE = "Classifier probing"
ICON = ":material/filter_alt:"
ORDER = 11
ATTACK = "classifier_probing"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, outcome.live(experiment))
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
outcome.show(result)
outcome.by_size(result)
label_queries.show(result, experiment)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw what depends on the target that is looked at; choosing another leaves the rest of the page alone."""
    target = targets.choose(result.tables["targets"])
    probes.show(result, experiment, target)
    telling_words.show(result, target)


one_target(result, experiment)
decisions.show(result)
probing_paper.show(result, experiment)
