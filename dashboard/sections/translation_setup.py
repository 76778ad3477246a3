"""Who holds which pairs, and how the translators were trained, while a run goes on and afterwards."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import translation_sets, translation_training


def show(result: Result) -> None:
    """Draw who holds what."""
    sets = result.tables["sets"]
    st.header("Alice, Bob and Carol", anchor=False)
    st.markdown(translation_sets.LEGEND)
    panels.figure(
        translation_sets.figure(sets), sets, "sets", translation_sets.sentence(sets), title=translation_sets.TITLE
    )


def trained(result: Result) -> None:
    """Draw the training of all translators."""
    training = result.tables["training"]
    panels.figure(
        translation_training.figure(training),
        training,
        "training",
        translation_training.sentence(training),
        title=translation_training.TITLE,
    )


def live(rows: list[dict[str, Any]]) -> go.Figure:
    """Draw the passes of a run that is going on."""
    return translation_training.figure(translation_training.growing(rows))
