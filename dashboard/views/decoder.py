"""The decoder: whether a network that writes down the text behind an embedding finds a word in it."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.inversion import decoded

TITLE = "Decoder"
ICON = ":material/edit_note:"
ORDER = 28
ATTACK = "decoder"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, decoded.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
decoded.show(result, experiment)
