"""Scores of the attack with the decision threshold, and its ROC curves."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures.tables import records
from dashboard.kit.membership.figures import curve, roc, scores


def show(result: Result) -> None:
    """Draw the scores and the ROC side by side."""
    st.header("Scores and decisions", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        scored(result)
    with right:
        traded(result)


def scored(result: Result) -> None:
    """Draw the scores with the decision threshold."""
    decisions, last = result.tables["scores"], curve.final(result.tables["curve"], result.experiment["attack"]["part"])
    text = scores.sentence(decisions, ranks=bool((last["auc_low"] > 0.5).any()))
    panels.figure(scores.figure(decisions), decisions, "scores", text, title=scores.TITLE)


def traded(result: Result) -> None:
    """Draw the ROC curves."""
    rates, decisions = result.tables["roc"], result.tables["scores"]
    last = curve.final(result.tables["curve"], result.experiment["attack"]["part"])
    areas = {row.size: row.auc for row in records(last)}
    text = roc.sentence(rates, decisions)
    panels.figure(roc.figure(rates, decisions, areas), rates, "roc", text, title=curves.TITLE)
