"""Canary extraction: a secret planted in training data, read out of the trained model."""

import streamlit as st

from core.result import Result
from dashboard.kit import attack_page
from dashboard.topics.canaries import answer, canaries, course, defenses, outcome, paper, request_training

ICON = ":material/password:"
ORDER = 13
QUESTION = "What does it say?"

result, experiment = attack_page.opened("canary_extraction", request_training.live)


@st.fragment
def one_canary(result: Result) -> None:
    """Draw the sections about the chosen canary; choosing another redraws only them."""
    canary = canaries.choose(result.tables["canaries"])
    answer.show(result, canary)
    course.show(result, canary)


one_canary(result)
outcome.show(result)
outcome.exposed(result)
request_training.show(result)
paper.show(result, experiment)
defenses.show(experiment)
