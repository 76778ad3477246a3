"""Which encoder made an embedding: how often it is named, what is mistaken for what, and the clusters."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import fingerprint as charts
from dashboard.charts.word_map import NAMES


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
        method = st.segmented_control(
            "Layout",
            list(NAMES),
            format_func=NAMES.__getitem__,
            key="view.map",
            bind="query-params",
            default="pca",
            required=True,
        )
        length = lengths[0]
        if len(lengths) > 1:
            length = st.segmented_control(
                "Numbers of an embedding",
                lengths,
                format_func=lambda length: f"{length:,}",
                key="view.length",
                bind="query-params",
                default=lengths[0],
                required=True,
            )
    st.markdown(charts.apart(places, method, length))
    for column, (layer, title) in zip(st.columns(2, gap="large"), charts.LAYERS.items(), strict=True):
        own = charts.of(places, layer, method, length)
        with column:
            panels.figure(charts.clusters(own, method), own, f"map-{layer}", "", title=title)
