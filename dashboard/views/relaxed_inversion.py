"""Inversion by relaxation: ask, and see which words a search through the encoder finds behind an embedding."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import inversion_outcome, inversion_paper, inversion_settling, inverted

TITLE = "Inversion by relaxation"
ICON = ":material/travel_explore:"
ORDER = 26
ATTACK = "relaxed_inversion"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
inversion_outcome.show(result)
inversion_settling.show(result)
inversion_paper.show(experiment)
