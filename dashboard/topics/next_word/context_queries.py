"""Number of queries for one decision, and perplexity of the language model."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import context_queries

_QUERIES = {"queries": "By the attack", "queries_all_pairs": "By baseline 1, all pairs"}
_PERPLEXITIES = {"perplexity_test": "In new documents", "perplexity_train": "In its training documents"}

_WIDTH = 205
"""Two estimates fit side by side in half a page."""


def show(result: Result) -> None:
    """Show both side by side, with their estimates."""
    st.header("Queries and perplexity", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Queries for one decision", anchor=False)
        panels.estimates(result, _QUERIES, width=_WIDTH)
        st.markdown(literal(context_queries.queries(result.estimates)))
    with right:
        st.subheader("Perplexity of the model", anchor=False)
        panels.estimates(result, _PERPLEXITIES, width=_WIDTH)
        panels.statement(context_queries.quality(result.estimates))
