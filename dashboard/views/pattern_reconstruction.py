"""Pattern reconstruction from sentence embeddings: ask, watch it run, and watch a date of birth fall out."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.encoders import comparison
from dashboard.topics.patterns import read_back, reconstruction

TITLE = "Patterns"
ICON = ":material/pin:"
ORDER = 20
ATTACK = "pattern_reconstruction"

experiment = form.experiment_form(ATTACK)
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
comparison.show(result, experiment)
