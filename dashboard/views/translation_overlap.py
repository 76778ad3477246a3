"""Membership of sentence pairs in a translator: ask, watch translators learn, and see what they repeat by heart."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.translation import answer, classifiers, course, example, regimes, setup

TITLE = "Was it translated from memory?"
ICON = ":material/translate:"
ORDER = 15
ATTACK = "translation_overlap"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, setup.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
answer.show(result, experiment)
setup.show(result)
setup.trained(result)
classifiers.show(result)
classifiers.by_corpus(result)
classifiers.unknown(result)
st.header("From one pair to many", anchor=False)
left, right = st.columns(2, gap="large")
with left:
    course.groups(result)
with right:
    course.roc(result)
course.show(result)
example.show(result, experiment)
regimes.show(result, experiment)
answer.conclude(result, experiment)
