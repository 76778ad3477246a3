"""How a search for texts or words gets closer to an embedding, step by step."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart
from dashboard.kit.words import literal
from dashboard.topics.inversion.figures import search, settling


def show(result: Result) -> None:
    """Draw the gain by text search, or the convergence of relaxation; nothing where the attack does not search."""
    if "search" in result.tables:
        st.header("Gain by text search", anchor=False)
        chart.show(search, result.tables["search"], "search", result.tables["learning"])
        synthetic = [search.SYNTHETIC] if result.experiment["attack"].get("made_up") else []
        st.caption(literal(" ".join([search.NOTE, *synthetic, search.chosen(result.tables["choices"])])))
    if "settling" in result.tables:
        st.header("Convergence of the search", anchor=False)
        chart.show(settling, result.tables["settling"], "settling")
        if settings := settling.chosen(result.tables["choices"]):
            st.caption(literal(settings))
