"""Decisions about each user and target model, with the scores and the ROC curve."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart, panels
from dashboard.kit.membership import decisions
from dashboard.topics.next_word.figures import user_decisions


def explain(result: Result) -> None:
    """Say why the decisions are not shown to be better than chance, where they are not."""
    rows = user_decisions.of(result.tables["verdicts"], result.tables["targets"])
    if why := user_decisions.silence(rows, result.estimates.get("accuracy")):
        panels.statement(why)


def show(result: Result) -> None:
    """Draw the decisions beside the truth, then scores and ROC curve."""
    rows = user_decisions.of(result.tables["verdicts"], result.tables["targets"])
    st.header("Decisions", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        chart.show(user_decisions, rows, "verdicts")
        decisions.ranked(result)
    with right:
        decisions.scored(result)
        decisions.traded(result)
