"""The words of the selected pairs in a shadow model with the target and in one without, side by side."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.figures import planes
from dashboard.topics.word_pairs.figures import word_map


@st.fragment
def show(result: Result, target: int) -> None:
    """Draw both maps with the same axes."""
    places, pairs = result.tables["word_map"], result.tables["pairs"]
    methods = planes.methods(places[places["target"] == target])
    if not methods:
        return
    st.header("Word map", anchor=False)
    method = choices.few("Layout", methods, "view.map", called=planes.NAMES.__getitem__)
    points = places[(places["target"] == target) & (places["method"] == method)]
    st.markdown(word_map.sentence(places, pairs, target, method))
    for column, member in zip(st.columns(2, gap="large"), (False, True), strict=True):
        with column:
            side = "with" if member else "without"
            figure = word_map.figure(places, pairs, target, method, member)
            title = f"Shadow model {side} the target"
            panels.figure(figure, points[points["member"] == member], f"map-{side}", "", title=title)
