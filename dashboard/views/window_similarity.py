"""Window membership: which windows of words a word embedding was trained on."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, panels, tabs
from dashboard.kit.examples import membership, shown_examples, window_texts

ICON = ":material/frame_inspect:"
ORDER = 11
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("window_similarity")


def answer() -> None:
    """Draw how often the attack is right, by frequency and against false alarms."""
    membership.show(result)
    panels.side_by_side(partial(membership.by_group, result), partial(membership.roc, result))


def how() -> None:
    """Draw what tells members from non-members, then some windows."""
    st.header("Why it works", anchor=False)
    membership.statistic(result)
    shown_examples.show(result, experiment, window_texts.read, window_texts.ABSENT)


tabs.show(answer, how)
