"""Inversion by decoder: whether a network that writes down the text behind an embedding finds a word in it."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import decoded

TITLE = "Inversion by decoder"
ICON = ":material/edit_note:"
ORDER = 28
ATTACK = "decoder"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, decoded.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
decoded.show(result, experiment)
