"""Canary extraction: ask, watch networks learn a secret, and watch it being read out of one of them."""

import streamlit as st

from core.result import Result
from dashboard import forms, panels
from dashboard.sections import (
    canaries,
    canary_answer,
    canary_defenses,
    canary_paper,
    extraction_course,
    extraction_outcome,
    request_training,
)

TITLE = "Canary extraction"
ICON = ":material/password:"
ORDER = 13
ATTACK = "canary_extraction"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, request_training.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)


@st.fragment
def one_canary(result: Result) -> None:
    """Draw what depends on the canary that is looked at; choosing another leaves the rest of the page alone."""
    canary = canaries.choose(result.tables["canaries"])
    canary_answer.show(result, canary)
    extraction_course.show(result, canary)


one_canary(result)
extraction_outcome.show(result)
extraction_outcome.exposed(result)
request_training.show(result)
canary_paper.show(result, experiment)
canary_defenses.show(experiment)
