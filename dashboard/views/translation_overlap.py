"""Translation membership: ask, watch translators learn, and see what they repeat by heart."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import (
    translation_answer,
    translation_classifiers,
    translation_course,
    translation_example,
    translation_regimes,
    translation_setup,
)

TITLE = "Translation membership"
ICON = ":material/translate:"
ORDER = 15
ATTACK = "translation_overlap"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, translation_setup.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
translation_answer.show(result, experiment)
translation_setup.show(result)
translation_setup.trained(result)
translation_classifiers.show(result)
translation_classifiers.by_corpus(result)
translation_classifiers.unknown(result)
st.header("From one pair to many", anchor=False)
left, right = st.columns(2, gap="large")
with left:
    translation_course.groups(result)
with right:
    translation_course.roc(result)
translation_course.show(result)
translation_example.show(result, experiment)
translation_regimes.show(result, experiment)
translation_answer.conclude(result, experiment)
