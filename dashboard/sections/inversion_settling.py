"""How a search for words settled on the adversary's own texts, where an attack searches."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import inversion_settling as charts
from dashboard.words import literal


def show(result: Result) -> None:
    """Draw the distances step by step, and say what the adversary chose."""
    settling = result.tables["settling"]
    st.header("How the search settled", anchor=False)
    panels.figure(charts.figure(settling), settling, "settling", charts.sentence(settling), title=charts.TITLE)
    if said := charts.chosen(result.tables["choices"]):
        st.caption(literal(said))
