"""Canary extraction: a secret planted in training data, read out of the trained model."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.topics.canaries import (
    answer,
    course,
    defenses,
    outcome,
    own_secret,
    paper,
    request_training,
    traps,
)

ICON = ":material/password:"
ORDER = 13
QUESTION = "What does it say?"

result, experiment = attack_page.opened("canary_extraction", request_training.live, own_secret.ask)


@st.fragment
def one_course() -> None:
    """Draw how the chosen secret is found; choosing another redraws only that."""
    course.show(result, answer.choose(result.tables["canaries"]))


def how() -> None:
    """Draw how one secret is found, what the loss alone reveals, traps, and how the networks were trained."""
    one_course()
    outcome.exposed(result)
    traps.folded()
    request_training.folded(result)


tabs.show(
    partial(answer.show, result, experiment),
    how,
    partial(defenses.show, experiment) if defenses.exist(experiment) else None,
    partial(paper.show, result, experiment),
)
