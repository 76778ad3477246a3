"""Author inference: ask, watch it run, and see who wrote a text."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import author_comparison, authors, authorship

TITLE = "Author inference"
ICON = ":material/person_search:"
ORDER = 22
ATTACK = "attribute_inference"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, authorship.live(experiment))
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
authorship.show(result)
authorship.confused(result)
authors.show(result, experiment)
author_comparison.show(result, experiment)
