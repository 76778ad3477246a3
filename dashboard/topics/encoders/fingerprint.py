"""Which encoder made an embedding: how often it is named, what is mistaken for what, and the clusters."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.figures import planes
from dashboard.topics.encoders.figures import fingerprint as charts


def show(result: Result) -> None:
    """Draw accuracy, mistakes and maps."""
    found = result.tables
    st.header("What leaked", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            charts.accuracy(found["encoders"], result.estimates),
            found["encoders"],
            "accuracy",
            charts.sentence(found["encoders"], result.estimates),
            title="Encoders named",
        )
    with right:
        panels.figure(
            charts.confusion(found["confusion"]),
            found["confusion"],
            "confusion",
            charts.confused(found["confusion"]),
            title="Taken for which",
        )
    _maps(result)


@st.fragment
def _maps(result: Result) -> None:
    places = result.tables["map"]
    lengths = charts.dimensions(places)
    if not lengths:
        st.caption("No two encoders make embeddings of the same length, so the length alone tells them apart.")
        return
    st.header("Clusters", anchor=False)
    with st.container(horizontal=True, gap="large"):
        method = choices.few("Layout", planes.NAMES, "view.map", default="pca")
        length = lengths[0]
        if len(lengths) > 1:
            length = choices.few("Numbers of an embedding", lengths, "view.length", called=lambda length: f"{length:,}")
    st.markdown(charts.apart(places, method, length))
    for column, (layer, title) in zip(st.columns(2, gap="large"), charts.LAYERS.items(), strict=True):
        own = charts.of(places, layer, method, length)
        with column:
            panels.figure(charts.clusters(own, method), own, f"map-{layer}", "", title=title)
