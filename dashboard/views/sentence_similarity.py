"""Sentence and user membership in a sentence encoder."""

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.kit.examples import membership
from dashboard.topics.sentence_membership import course, sentences

ICON = ":material/frame_person:"
ORDER = 14
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("sentence_similarity")


def answer() -> None:
    """Draw how often the attack is right, by length of the passage and over training."""
    membership.show(result)
    sentences.meaning(result)
    left, right = st.columns(2, gap="large")
    with left:
        membership.by_group(result)
    with right:
        course.show(result)


def how() -> None:
    """Draw what tells members from non-members, then some passages."""
    st.header("Why it works", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        membership.roc(result)
    with right:
        membership.statistic(result)
    sentences.show(result, experiment)


tabs.show(answer, how, paper=sentences.paper)
