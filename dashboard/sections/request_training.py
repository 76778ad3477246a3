"""How the networks were trained, pass by pass, while a run goes on and afterwards."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import canaries, request_training

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
        if st.session_state.get(_NETWORKS) not in (_ALL, *often):
            st.session_state.pop(_NETWORKS, None)
        chosen = st.segmented_control(
            "Networks that were shown each secret",
            [_ALL, *often],
            key=_NETWORKS,
            bind="query-params",
            default=_ALL,
            format_func=lambda number: "any number of times" if number == _ALL else canaries.times(number),
            required=True,
        )
    own = request_training.of(training, told, None if chosen == _ALL else chosen)
    panels.figure(
        request_training.figure(own), own, "training", request_training.sentence(own), title=request_training.TITLE
    )


def live(rows: list[dict[str, Any]]) -> go.Figure:
    """Draw the passes of a run that is going on."""
    return request_training.figure(request_training.growing(rows))
