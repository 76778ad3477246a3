"""How the networks were trained, pass by pass, while a run goes on and afterwards."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels
from dashboard.topics.canaries.figures import canaries, request_training

_NETWORKS = "view.networks"
_ALL = -1


@st.fragment
def show(result: Result) -> None:
    """Draw the training of all networks, or of those that saw the secrets equally often."""
    training, told = result.tables["training"], result.tables["canaries"]
    often = sorted({int(number) for number in told["repetitions"]})
    st.header("How the networks were trained", anchor=False)
    chosen = _ALL
    if len(often) > 1:
        chosen = choices.few(
            "Networks that were shown each secret",
            [_ALL, *often],
            _NETWORKS,
            called=lambda number: "any number of times" if number == _ALL else canaries.times(number),
            default=_ALL,
        )
    own = request_training.of(training, told, None if chosen == _ALL else chosen)
    panels.figure(
        request_training.figure(own), own, "training", request_training.sentence(own), title=request_training.TITLE
    )


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the passes of a run that is going on."""
    return request_training.figure(request_training.growing(rows))
