"""Training of the networks by epoch, during a run and afterwards."""

from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, choices, panels
from dashboard.topics.canaries.figures import canaries, request_training

_NETWORKS = "view.networks"
_ALL = -1


def folded(result: Result) -> None:
    """Offer the training of the networks."""
    panels.folded("Training of the networks", partial(_trained, result), icon=":material/model_training:")


@st.fragment
def _trained(result: Result) -> None:
    """Draw the training of all networks, or of those with one number of repetitions."""
    training, canaries_table = result.tables["training"], result.tables["canaries"]
    counts = sorted({int(number) for number in canaries_table["repetitions"]})
    chosen = _ALL
    if len(counts) > 1:
        chosen = choices.few(
            "Networks that saw each secret",
            [_ALL, *counts],
            _NETWORKS,
            called=lambda number: "any number of times" if number == _ALL else canaries.times(number),
            default=_ALL,
        )
    selected = request_training.of(training, canaries_table, None if chosen == _ALL else chosen)
    chart.show(request_training, selected, "training")


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the epochs of a run in progress."""
    return request_training.figure(request_training.growing(rows))
