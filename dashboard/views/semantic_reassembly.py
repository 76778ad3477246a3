"""Topic words: which ten words tell best what the text behind an embedding is about."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import reassembled

TITLE = "Topic words"
ICON = ":material/extension:"
ORDER = 23
ATTACK = "semantic_reassembly"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
reassembled.show(result, experiment)
