"""Semantic reassembly: which ten words tell best what the text behind an embedding is about."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.reassembly import reassembled

TITLE = "Reassembly"
ICON = ":material/extension:"
ORDER = 23
ATTACK = "semantic_reassembly"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
reassembled.show(result, experiment)
