"""The papers of these attacks beside this result."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.topics.language_models.figures import paper


def show(result: Result) -> None:
    """Draw what the papers report, and the areas under the curve here."""
    st.header("Comparison with the papers", anchor=False)
    panels.table(paper.rows(result), "papers", paper.sentence(result), title="Reported and measured")
    panels.note(paper.NOTE)
