"""Sentence and user membership: ask, watch it run, and see whose sentences were in, and from when on."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import example_course, example_membership, sentences

TITLE = "Sentence and user membership"
ICON = ":material/frame_person:"
ORDER = 14
ATTACK = "sentence_similarity"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
example_membership.show(result)
sentences.meaning(result)
left, right = st.columns(2, gap="large")
with left:
    example_membership.by_group(result)
with right:
    example_course.show(result)
st.header("Why", anchor=False)
left, right = st.columns(2, gap="large")
with left:
    example_membership.roc(result)
with right:
    example_membership.statistic(result)
sentences.show(result, experiment)
sentences.paper()
