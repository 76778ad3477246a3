"""What the language model is asked for one decision, and how good it is at its own task."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import context_queries

_QUERIES = {"queries": "By the attack", "queries_all_pairs": "By baseline 1, every pair"}
_PERPLEXITIES = {"perplexity_test": "In new documents", "perplexity_train": "In its training documents"}

_WIDTH = 205
"""Two figures stand side by side in half a page."""


def show(result: Result) -> None:
    """Say both side by side, with the figures."""
    st.header("What the model is asked", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Next words asked for one decision", anchor=False)
        panels.estimates(result, _QUERIES, width=_WIDTH)
        st.markdown(literal(context_queries.asked(result.estimates)))
    with right:
        st.subheader("Its own task: perplexity", anchor=False)
        panels.estimates(result, _PERPLEXITIES, width=_WIDTH)
        st.markdown(literal(context_queries.quality(result.estimates)))
