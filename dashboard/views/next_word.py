"""Next-word completion: membership inferred from the completions of a language model."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.kit.membership import outcome, targets
from dashboard.topics.next_word import completions, context_queries, paper, private_training, user_decisions

ICON = ":material/keyboard:"
ORDER = 12
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("next_word")


def answer() -> None:
    """Draw how often the attack is right, or why it is not; what that takes, and its decisions."""
    user_decisions.explain(result)
    outcome.show(result)
    context_queries.show(result)
    user_decisions.show(result)


@st.fragment
def one_target() -> None:
    """Draw the completions of the chosen target; choosing another redraws only them."""
    completions.show(result, experiment, targets.choose(result.tables["targets"]))


tabs.show(
    answer,
    one_target,
    partial(private_training.show, experiment) if private_training.exists(experiment) else None,
    partial(paper.show, result, experiment),
)
