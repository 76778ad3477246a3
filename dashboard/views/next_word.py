"""Next-word completion: ask, watch it run, and see which words the model completes too well."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import forms, panels
from dashboard.sections import (
    completions,
    context_queries,
    next_word_paper,
    outcome,
    private_training,
    targets,
    verdicts,
)

TITLE = "Next-word completion"
ICON = ":material/keyboard:"
ORDER = 12
ATTACK = "next_word"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
outcome.show(result)
context_queries.show(result)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw what depends on the target that is looked at; choosing another leaves the rest of the page alone."""
    target = targets.choose(result.tables["targets"])
    completions.show(result, experiment, target)


one_target(result, experiment)
verdicts.show(result)
next_word_paper.show(result, experiment)
private_training.show(experiment)
