"""The audit of a model: which of the documents that it was trained on give themselves away."""

import streamlit as st

from dashboard.kit import glossary
from dashboard.topics.model_audit import audit

TITLE = "Model audit"
ICON = ":material/fact_check:"
ORDER = 66
QUESTION = "Audit your own"
ATTACKS = ("word_pair_audit", "language_model_audit")

_SUBTITLE = "Which training documents of your model can somebody tell from other documents?"

st.title(TITLE, anchor=False)
st.markdown(_SUBTITLE, help=glossary.explained(f"{TITLE} {_SUBTITLE}"))
audit.show()
