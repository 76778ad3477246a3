"""Training of an adversary by epoch."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart
from dashboard.topics.inversion.figures import learning as charts


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the epochs of a run in progress."""
    return charts.figure(charts.growing(rows))


def show(result: Result) -> None:
    """Draw loss and F1 by epoch; nothing where the attack does not train by epochs."""
    learning = result.tables.get("learning")
    if learning is None or learning.empty:
        return
    st.header("Training of the adversary", anchor=False)
    chart.show(charts, learning, "learning")
