"""Inversion by sparse coding: ask, and see which words an embedding gives back to who may look into the encoder."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import inversion_outcome, inversion_paper, inverted

TITLE = "Inversion by sparse coding"
ICON = ":material/lock_open:"
ORDER = 25
ATTACK = "sparse_inversion"

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
inversion_paper.show(experiment)
