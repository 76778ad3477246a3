"""Next-word completion: membership inferred from the completions of a language model."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import attack_page
from dashboard.kit.membership import outcome, targets
from dashboard.topics.next_word import completions, context_queries, paper, private_training, verdicts

ICON = ":material/keyboard:"
ORDER = 12
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("next_word")
outcome.show(result)
context_queries.show(result)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw the sections about the chosen target; choosing another redraws only them."""
    target = targets.choose(result.tables["targets"])
    completions.show(result, experiment, target)


one_target(result, experiment)
verdicts.show(result)
paper.show(result, experiment)
private_training.show(experiment)
