"""Inversion by guess and correction: ask, and see which text comes close to an embedding, and which words it has."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.inversion import inverted, learning, outcome, paper, search

TITLE = "Read it back, corrected"
ICON = ":material/rule:"
ORDER = 25
ATTACK = "corrective_inversion"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, learning.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
search.show(result)
learning.show(result)
paper.show(experiment)
