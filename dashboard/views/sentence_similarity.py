"""Sentence and user membership in a sentence encoder."""

import streamlit as st

from dashboard.kit import attack_page
from dashboard.kit.examples import membership
from dashboard.topics.sentence_membership import course, sentences

ICON = ":material/frame_person:"
ORDER = 14
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("sentence_similarity")
membership.show(result)
sentences.meaning(result)
left, right = st.columns(2, gap="large")
with left:
    membership.by_group(result)
with right:
    course.show(result)
st.header("Why it works", anchor=False)
left, right = st.columns(2, gap="large")
with left:
    membership.roc(result)
with right:
    membership.statistic(result)
sentences.show(result, experiment)
sentences.paper()
