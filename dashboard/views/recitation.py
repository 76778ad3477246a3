"""What it recites: a language model continues passages of its training text, or gives a planted secret away."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.topics.canaries import answer, canaries, outcome, own_secret
from dashboard.topics.language_models import choice, passages

TITLE = "What it recites"
ICON = ":material/record_voice_over:"
ORDER = 14
QUESTION = "What does it say?"
ATTACKS = ("recitation", "secret_sharer")

attack = choice.choose({"recitation": "Passages", "secret_sharer": "Planted secrets"})
secrets = attack == "secret_sharer"
result, experiment = attack_page.opened(attack, absent=own_secret.ask if secrets else None)


@st.fragment
def one_secret() -> None:
    """Draw the answers about the chosen secret; choosing another redraws only them."""
    answer.show(result, canaries.choose(result.tables["canaries"]))


def read_out() -> None:
    """Draw one secret and the answers about it, then all secrets."""
    own_secret.ask(experiment)
    one_secret()
    outcome.show(result)


if secrets:
    tabs.show(read_out, partial(outcome.exposed, result))
else:
    tabs.show(partial(passages.show, result, experiment), partial(passages.how, result))
