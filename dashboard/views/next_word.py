"""Next-word completion: ask, watch it run, and see which words the model completes too well."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import attack_page
from dashboard.kit.membership import outcome, targets
from dashboard.topics.next_word import completions, context_queries, paper, private_training, verdicts

TITLE = "Next-word completion"
ICON = ":material/keyboard:"
ORDER = 12
ATTACK = "next_word"

result, experiment = attack_page.opened(ATTACK)
outcome.show(result)
context_queries.show(result)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw what depends on the target that is looked at; choosing another leaves the rest of the page alone."""
    target = targets.choose(result.tables["targets"])
    completions.show(result, experiment, target)


one_target(result, experiment)
verdicts.show(result)
paper.show(result, experiment)
private_training.show(experiment)
