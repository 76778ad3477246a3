"""Canary extraction: ask, watch networks learn a secret, and watch it being read out of one of them."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.canaries import answer, canaries, course, defenses, outcome, paper, request_training

TITLE = "Canaries"
ICON = ":material/password:"
ORDER = 13
ATTACK = "canary_extraction"

experiment = form.experiment_form(ATTACK)
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
    canary = canaries.choose(result.findings["canaries"])
    answer.show(result, canary)
    course.show(result, canary)


one_canary(result)
outcome.show(result)
outcome.exposed(result)
request_training.show(result)
paper.show(result, experiment)
defenses.show(experiment)
