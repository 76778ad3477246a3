"""Improvement of a word classifier by text search."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart
from dashboard.kit.words import literal
from dashboard.topics.inversion.figures import search as charts


def show(result: Result) -> None:
    """Draw closeness and F1 by the number of candidate texts; nothing where the attack searches for none."""
    search = result.tables.get("search")
    if search is None:
        return
    st.header("Gain by text search", anchor=False)
    chart.show(charts, search, "search", result.tables["learning"])
    st.caption(literal(" ".join([charts.NOTE, charts.chosen(result.tables["choices"])])))
