"""What is read out: one secret and the answers about it, then all secrets."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.topics.canaries import answer, canaries, outcome, own_secret


def show(result: Result, experiment: Experiment) -> None:
    """Ask for a secret; draw one secret and the answers about it, then all secrets."""
    own_secret.ask(experiment)
    one_secret(result)
    outcome.show(result)


@st.fragment
def one_secret(result: Result) -> None:
    """Draw the answers about the chosen secret; choosing another redraws only them."""
    answer.show(result, canaries.choose(result.tables["canaries"]))
