"""Recitation: a language model continues passages of its training text, or gives a planted secret away."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.topics.canaries import answer, canaries, outcome, own
from dashboard.topics.language_models import passages, which

ICON = ":material/record_voice_over:"
ORDER = 14
QUESTION = "What does it say?"
ATTACKS = ("recitation", "secret_sharer")

attack = which.choose(ATTACKS)
secrets = attack == "secret_sharer"
result, experiment = attack_page.opened(attack, absent=own.ask if secrets else None)


@st.fragment
def one_secret() -> None:
    """Draw the answers about the chosen secret; choosing another redraws only them."""
    answer.show(result, canaries.choose(result.tables["canaries"]))


def read_out() -> None:
    """Draw one secret and the answers about it, then all secrets."""
    own.ask(experiment)
    one_secret()
    outcome.show(result)


if secrets:
    tabs.show(read_out, partial(outcome.exposed, result))
else:
    tabs.show(partial(passages.show, result, experiment), partial(passages.how, result))
