"""How a search for words settled on the adversary's own texts, where an attack searches."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.kit.words import literal
from dashboard.topics.inversion.figures import settling as charts


def show(result: Result) -> None:
    """Draw the distances step by step, and say what the adversary chose."""
    settling = result.tables["settling"]
    st.header("How the search settled", anchor=False)
    panels.figure(charts.figure(settling), settling, "settling", charts.sentence(settling), title=charts.TITLE)
    if said := charts.chosen(result.tables["choices"]):
        st.caption(literal(said))
