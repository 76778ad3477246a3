"""Convergence of the search by relaxation on the adversary's texts."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart
from dashboard.kit.words import literal
from dashboard.topics.inversion.figures import settling as charts


def show(result: Result) -> None:
    """Draw the distances by step, and name the chosen settings; nothing where the attack takes no steps."""
    if "settling" not in result.tables:
        return
    st.header("Convergence of the search", anchor=False)
    chart.show(charts, result.tables["settling"], "settling")
    if settings := charts.chosen(result.tables["choices"]):
        st.caption(literal(settings))
