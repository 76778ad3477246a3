"""Word pairs: membership inferred from telltale pairs of adjacent words."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import attack_page
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.word_pairs import comparisons, maps, pairs, path

ICON = ":material/join_inner:"
ORDER = 10
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("word_pairs", outcome.live)
outcome.show(result)
decisions.show(result)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw the sections about the chosen target; choosing another redraws only them."""
    target = targets.choose(result.tables["targets"])
    size = targets.size(result.tables["targets"], target)
    pairs.show(result, experiment, target)
    path.show(result, target, size)
    maps.show(result, target)
    comparisons.show(result, size)


one_target(result, experiment)
