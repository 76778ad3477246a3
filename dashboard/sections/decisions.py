"""How the attack decided: scores with the decision line, and the ROC curves."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import curve, roc, scores
from dashboard.charts.tables import records


def show(result: Result) -> None:
    """Draw the scores and the ROC side by side."""
    st.header("How it decides", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        scored(result)
    with right:
        traded(result)


def scored(result: Result) -> None:
    """Draw the scores with the decision line."""
    found = result.tables["scores"]
    panels.figure(scores.figure(found), found, "scores", scores.sentence(found), title="Scores")


def traded(result: Result) -> None:
    """Draw members found against non-members accused."""
    found = result.tables
    last = curve.final(found["curve"], result.experiment["attack"]["part"])
    areas = {row.size: row.auc for row in records(last)}
    panels.figure(
        roc.figure(found["roc"], found["scores"], areas),
        found["roc"],
        "roc",
        roc.sentence(found["roc"], found["scores"]),
        title="Found against accused (ROC)",
    )
