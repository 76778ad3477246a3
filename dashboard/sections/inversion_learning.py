"""How an adversary learnt to read words back, pass by pass, where it learns by passes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import inversion_learning as charts

if TYPE_CHECKING:
    import plotly.graph_objects as go


def live(rows: Sequence[dict[str, Any]]) -> "go.Figure":
    """Draw the passes of a run that is still going on."""
    return charts.figure(charts.growing(rows))


def show(result: Result) -> None:
    """Draw loss and F1 by pass; nothing where the attack does not learn by passes."""
    learning = result.tables.get("learning")
    if learning is None or learning.empty:
        return
    st.header("How it learnt", anchor=False)
    panels.figure(charts.figure(learning), learning, "learning", charts.sentence(learning), title=charts.TITLE)
