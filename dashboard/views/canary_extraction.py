"""Canary extraction: ask, watch networks learn a secret, and watch it being read out of one of them."""

import streamlit as st

from core.result import Result
from dashboard.kit import attack_page
from dashboard.topics.canaries import answer, canaries, course, defenses, outcome, paper, request_training

TITLE = "Canary extraction"
ICON = ":material/password:"
ORDER = 13
ATTACK = "canary_extraction"

result, experiment = attack_page.opened(ATTACK, request_training.live)


@st.fragment
def one_canary(result: Result) -> None:
    """Draw what depends on the canary that is looked at; choosing another leaves the rest of the page alone."""
    canary = canaries.choose(result.tables["canaries"])
    answer.show(result, canary)
    course.show(result, canary)


one_canary(result)
outcome.show(result)
outcome.exposed(result)
request_training.show(result)
paper.show(result, experiment)
defenses.show(experiment)
