"""Sentence and user membership in a sentence encoder."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, panels, tabs
from dashboard.kit.examples import membership
from dashboard.topics.sentence_membership import sentences

ICON = ":material/frame_person:"
ORDER = 14
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("sentence_similarity")


def answer() -> None:
    """Draw how often the attack is right, by length of the passage and over training."""
    membership.show(result)
    sentences.meaning(result)
    panels.side_by_side(partial(membership.by_group, result), partial(sentences.by_epoch, result))


def how() -> None:
    """Draw what tells members from non-members, then some passages."""
    st.header("Why it works", anchor=False)
    panels.side_by_side(partial(membership.roc, result), partial(membership.statistic, result))
    sentences.show(result, experiment)


tabs.show(answer, how, paper=sentences.paper)
