"""Attribute inference from sentence embeddings: ask, watch it run, and see who wrote a text."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.authors import authors, authorship, comparison

TITLE = "Who wrote it"
ICON = ":material/person_search:"
ORDER = 22
ATTACK = "attribute_inference"

experiment = form.experiment_form(ATTACK)
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
comparison.show(result, experiment)
