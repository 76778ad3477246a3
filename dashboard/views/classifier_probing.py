"""Classifier probing: ask, watch it run, and see which words flip the classifier's labels."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import attack_page
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.probing import label_queries, paper, probes, telling_words

TITLE = "Classifier probing"
ICON = ":material/filter_alt:"
ORDER = 11
ATTACK = "classifier_probing"

result, experiment = attack_page.opened(ATTACK, outcome.live)
outcome.show(result)
outcome.by_size(result)
label_queries.show(result, experiment)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw what depends on the target that is looked at; choosing another leaves the rest of the page alone."""
    target = targets.choose(result.tables["targets"])
    probes.show(result, experiment, target)
    telling_words.show(result, target)


one_target(result, experiment)
decisions.show(result)
paper.show(result, experiment)
