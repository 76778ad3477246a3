"""Classifier probing: membership inferred from the labels of a text classifier."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.probing import paper, probes

ICON = ":material/filter_alt:"
ORDER = 11
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("classifier_probing", outcome.live)


def answer() -> None:
    """Draw how often the attack is right, and what that takes."""
    outcome.show(result)
    outcome.by_size(result)
    probes.asked(result, experiment)
    decisions.show(result)


@st.fragment
def one_target() -> None:
    """Draw the sections about the chosen target; choosing another redraws only them."""
    target = targets.choose(result.tables["targets"])
    probes.show(result, experiment, target)
    probes.words(result, target)


tabs.show(answer, one_target, paper=partial(paper.show, result, experiment))
