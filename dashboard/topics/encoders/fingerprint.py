"""Encoder fingerprint: accuracy, confusion matrix and clusters."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, drawings, panels
from dashboard.kit.figures import planes
from dashboard.topics.encoders.figures import fingerprint as charts

_TITLE = "Clusters"


def show(result: Result) -> None:
    """Draw accuracy and confusion matrix."""
    encoders, confusion = result.tables["encoders"], result.tables["confusion"]
    st.header("What leaked", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        figure, text = charts.accuracy(encoders, result.estimates), charts.sentence(encoders, result.estimates)
        panels.figure(figure, encoders, "accuracy", text, title="Accuracy by encoder")
    with right:
        text = charts.confused(confusion)
        panels.figure(charts.confusion(confusion), confusion, "confusion", text, title="Confusion matrix")


@st.fragment
def maps(result: Result, experiment: Experiment) -> None:
    """Draw the embeddings of the encoders as clusters, by chosen layout and dimension."""
    if not charts.share_a_dimension(result.tables["encoders"]):
        st.caption("No two encoders have the same embedding dimension, so the dimension alone identifies them.")
        return
    coordinates = drawings.of(result, experiment, "map", "map of the embeddings", _TITLE)
    if coordinates is None:
        return
    lengths = charts.dimensions(coordinates)
    if not lengths:
        st.caption("There is no map: the attack learns no layer of its own, or too few embeddings are mapped.")
        return
    st.header(_TITLE, anchor=False)
    with st.container(horizontal=True, gap="large"):
        method = choices.few("Layout", planes.NAMES, "view.map", default="pca")
        length = lengths[0]
        if len(lengths) > 1:
            length = choices.few("Embedding dimension", lengths, "view.length", called=lambda length: f"{length:,}")
    st.markdown(charts.apart(coordinates, method, length))
    for column, (layer, title) in zip(st.columns(2, gap="large"), charts.LAYERS.items(), strict=True):
        points = charts.of(coordinates, layer, method, length)
        with column:
            panels.figure(charts.clusters(points, method), points, f"map-{layer}", "", title=title)
