"""How the attack decided: scores with the decision line, and the ROC curves."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import curve, roc, scores
from dashboard.charts.tables import records


def show(result: Result) -> None:
    """Draw the scores and the ROC side by side."""
    found = result.findings
    last = curve.final(found["curve"], result.experiment["attack"]["part"])
    areas = {row.size: row.auc for row in records(last)}
    st.header("How it decides", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            scores.figure(found["scores"]), found["scores"], "scores", scores.sentence(found["scores"]), title="Scores"
        )
    with right:
        panels.figure(
            roc.figure(found["roc"], found["scores"], areas),
            found["roc"],
            "roc",
            roc.sentence(found["roc"], found["scores"]),
            title="Found against accused (ROC)",
        )
