"""Pattern reconstruction: ask, watch it run, and watch a date of birth fall out."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import encoder_comparison, read_back, reconstruction

TITLE = "Pattern reconstruction"
ICON = ":material/pin:"
ORDER = 20
ATTACK = "pattern_reconstruction"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, reconstruction.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
reconstruction.show(result, experiment)
read_back.show(result, experiment)
reconstruction.curve(result)
encoder_comparison.show(result, experiment)
