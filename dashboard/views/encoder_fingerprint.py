"""Encoder fingerprint: which encoder made an embedding, and which encoders there are."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import fingerprint, known_encoders

TITLE = "Encoder fingerprint"
ICON = ":material/fingerprint:"
ORDER = 29
ATTACK = "encoder_fingerprint"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is not None:
    panels.result_header(result, experiment)
    panels.again(experiment)
    fingerprint.show(result)
known_encoders.show()
