"""Next-word completion: membership inferred from the completions of a language model."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.kit.membership import targets
from dashboard.topics.next_word import answer, completions, paper, private_training

ICON = ":material/keyboard:"
ORDER = 12
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("next_word")


@st.fragment
def one_target() -> None:
    """Draw the completions of the chosen target; choosing another redraws only them."""
    completions.show(result, experiment, targets.choose(result.tables["targets"]))


tabs.show(
    partial(answer.show, result),
    one_target,
    partial(private_training.show, experiment) if private_training.exists(experiment) else None,
    partial(paper.show, result, experiment),
)
