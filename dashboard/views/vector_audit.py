"""The audit of a vector store: what a copy of stored embeddings gives away."""

import streamlit as st

from dashboard.kit import address, glossary
from dashboard.topics.vector_audit import audit

TITLE = "Vector audit"
ICON = ":material/manage_search:"
ORDER = 65
QUESTION = "Audit your own"

_SUBTITLE = "What could somebody read who copied the vectors that you keep?"

st.title(TITLE, anchor=False)
address.clear()
st.markdown(_SUBTITLE, help=glossary.explained(f"{TITLE} {_SUBTITLE}"))
audit.show()
