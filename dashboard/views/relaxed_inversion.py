"""Inversion by relaxation: ask, and see which words a search through the encoder finds behind an embedding."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.inversion import inverted, outcome, paper, settling

TITLE = "Read it back, searched"
ICON = ":material/travel_explore:"
ORDER = 26
ATTACK = "relaxed_inversion"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
settling.show(result)
paper.show(experiment)
