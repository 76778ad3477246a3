"""What guesses that are embedded and corrected add to what a classifier of words knows."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import inversion_search as charts
from dashboard.words import literal


def show(result: Result) -> None:
    """Draw how close the guesses come, and F1, by the number of guesses."""
    search, learning = result.tables["search"], result.tables["learning"]
    st.header("What guesses add", anchor=False)
    said = charts.sentence(search, learning)
    panels.figure(charts.figure(search, learning), search, "search", said, title=charts.TITLE)
    st.caption(literal(" ".join([charts.SAYS, charts.chosen(result.tables["choices"])])))
