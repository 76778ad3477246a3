"""Inversion by sparse coding: ask, and see which words an embedding gives back to who may look into the encoder."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.inversion import inverted, outcome, paper

TITLE = "Read it back, opened"
ICON = ":material/lock_open:"
ORDER = 25
ATTACK = "sparse_inversion"

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
paper.show(experiment)
