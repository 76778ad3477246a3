"""Two to four stored results side by side: differences, overlap, a threshold, and the records that leak most."""

import streamlit as st

from dashboard.kit import address
from dashboard.topics.compare import sections

TITLE = "Compare"
ICON = ":material/compare_arrows:"
ORDER = 65
QUESTION = "What helps?"

st.title("Compare", anchor=False)
address.clear(sections.VIEW)
st.markdown(
    "Two to four stored results side by side. Results that keep single answers to the same questions are compared in "
    "pairs, others as if independent. The address of this page holds the choice, so that a link opens it."
)
results = sections.chosen()
if len(results) < 2:
    st.caption("Choose at least two results.")
    st.stop()
sections.show(results)
