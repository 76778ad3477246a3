"""The words of the selected pairs in a shadow model with the target and in one without, side by side."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import word_map


@st.fragment
def show(result: Result, target: int) -> None:
    """Draw both maps with the same axes."""
    places, pairs = result.tables["word_map"], result.tables["pairs"]
    methods = word_map.methods(places, target)
    if not methods:
        return
    st.header("Word map", anchor=False)
    method = st.segmented_control(
        "Layout",
        methods,
        format_func=word_map.NAMES.__getitem__,
        key="view.map",
        bind="query-params",
        default=methods[0],
        required=True,
    )
    own = places[(places["target"] == target) & (places["method"] == method)]
    st.markdown(word_map.sentence(places, pairs, target, method))
    for column, member in zip(st.columns(2, gap="large"), (False, True), strict=True):
        with column:
            says = "with the target" if member else "without the target"
            panels.figure(
                word_map.figure(places, pairs, target, method, member),
                own[own["member"] == member],
                f"map-{'with' if member else 'without'}",
                "",
                title=f"Shadow {says}",
            )
