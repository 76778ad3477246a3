"""The answer about next words: how often the attack is right, or why it is not; what that takes; and its decisions."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart, panels
from dashboard.kit.membership import decisions, outcome
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import context_queries, user_decisions

_QUERIES = {"queries": "By the attack", "queries_all_pairs": "By baseline 1, all pairs"}
_PERPLEXITIES = {"perplexity_test": "In new documents", "perplexity_train": "In its training documents"}

_WIDTH = 205
"""Two estimates fit side by side in half a page."""


def show(result: Result) -> None:
    """Draw how often the attack is right, or why it is not; what that takes, and its decisions."""
    rows = user_decisions.of(result.tables["verdicts"], result.tables["targets"])
    if why := user_decisions.silence(rows, result.estimates.get("accuracy")):
        panels.statement(why)
    outcome.show(result)
    _queries(result)
    st.header("Decisions", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        chart.show(user_decisions, rows, "verdicts")
        decisions.ranked(result)
    with right:
        decisions.scored(result)
        decisions.traded(result)


def _queries(result: Result) -> None:
    """Show the number of queries for one decision beside the perplexity of the language model."""
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
