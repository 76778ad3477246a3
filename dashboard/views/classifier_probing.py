"""Classifier probing: membership inferred from the labels of a text classifier."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import attack_page
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.probing import label_queries, paper, probes, telling_words

ICON = ":material/filter_alt:"
ORDER = 11
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("classifier_probing", outcome.live)
outcome.show(result)
outcome.by_size(result)
label_queries.show(result, experiment)


@st.fragment
def one_target(result: Result, experiment: Experiment) -> None:
    """Draw the sections about the chosen target; choosing another redraws only them."""
    target = targets.choose(result.tables["targets"])
    probes.show(result, experiment, target)
    telling_words.show(result, target)


one_target(result, experiment)
decisions.show(result)
paper.show(result, experiment)
