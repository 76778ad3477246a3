"""The encoder fingerprint: which encoder made an embedding, and which encoders there are."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.encoders import fingerprint, known

TITLE = "Encoders"
ICON = ":material/fingerprint:"
ORDER = 29
ATTACK = "encoder_fingerprint"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is not None:
    panels.result_header(result, experiment)
    panels.again(experiment)
    fingerprint.show(result)
known.show()
