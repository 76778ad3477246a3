"""Word pairs: ask, watch it run, and see which pairs give away which target."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import attack_page
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.word_pairs import comparisons, maps, pairs, path

TITLE = "Word pairs"
ICON = ":material/join_inner:"
ORDER = 10
ATTACK = "word_pairs"

result, experiment = attack_page.opened(ATTACK, outcome.live)
outcome.show(result)
decisions.show(result)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw what depends on the target that is looked at; choosing another leaves the rest of the page alone."""
    target = targets.choose(result.tables["targets"])
    size = targets.size(result.tables["targets"], target)
    pairs.show(result, experiment, target)
    path.show(result, target, size)
    maps.show(result, target)
    comparisons.show(result, size)


one_target(result, experiment)
