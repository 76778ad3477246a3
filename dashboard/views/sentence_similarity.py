"""Membership of people in a sentence encoder: ask, watch it run, and see whose sentences were in, and from when on."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.examples import membership
from dashboard.kit.forms import form
from dashboard.topics.sentence_membership import course, sentences

TITLE = "Was this person in it"
ICON = ":material/frame_person:"
ORDER = 14
ATTACK = "sentence_similarity"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
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
