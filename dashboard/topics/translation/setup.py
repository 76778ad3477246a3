"""Split of the pairs, and training of the translators during a run and afterwards."""

from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, panels
from dashboard.topics.translation.figures import sets, training


def show(result: Result) -> None:
    """Draw the split of the pairs."""
    st.header("Alice, Bob and Carol", anchor=False)
    st.markdown(sets.LEGEND)
    chart.show(sets, result.tables["sets"], "sets")


def trained(result: Result) -> None:
    """Offer the training of all translators."""
    table = result.tables["training"]
    draw = partial(chart.show, training, table, "training", is_curve=table["passes"].nunique() > 1)
    panels.folded("Training of the translators", draw, icon=":material/model_training:")


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the epochs of a run in progress."""
    return training.figure(training.growing(rows))
