"""Decisions about each user and target model, with the scores and the ROC curve."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart
from dashboard.kit.membership import decisions
from dashboard.topics.next_word.figures import verdicts


def show(result: Result) -> None:
    """Draw the decisions beside the truth, then scores and ROC curve."""
    rows = verdicts.of(result.tables["verdicts"], result.tables["targets"])
    st.header("Decisions", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        chart.show(verdicts, rows, "verdicts")
    with right:
        decisions.scored(result)
        decisions.traded(result)
