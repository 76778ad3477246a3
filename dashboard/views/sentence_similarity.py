"""Sentence and user membership: ask, watch it run, and see whose sentences were in, and from when on."""

import streamlit as st

from dashboard.kit import attack_page
from dashboard.kit.examples import membership
from dashboard.topics.sentence_membership import course, sentences

TITLE = "Sentence and user membership"
ICON = ":material/frame_person:"
ORDER = 14
ATTACK = "sentence_similarity"

result, experiment = attack_page.opened(ATTACK)
membership.show(result)
sentences.meaning(result)
left, right = st.columns(2, gap="large")
with left:
    membership.by_group(result)
with right:
    course.show(result)
st.header("Why", anchor=False)
left, right = st.columns(2, gap="large")
with left:
    membership.roc(result)
with right:
    membership.statistic(result)
sentences.show(result, experiment)
sentences.paper()
