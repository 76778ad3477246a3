"""The words of the selected pairs in a shadow model with the target and in one without, side by side."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, drawings, panels
from dashboard.kit.figures import planes
from dashboard.topics.word_pairs.figures import word_map


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw both maps with the same axes."""
    coordinates, pairs = drawings.of(result, experiment, "word_map", "word map", "Word map"), result.tables["pairs"]
    if coordinates is None:
        return
    methods = planes.methods(coordinates[coordinates["target"] == target])
    if not methods:
        return
    st.header("Word map", anchor=False)
    method = choices.few("Layout", methods, "view.map", called=planes.NAMES.__getitem__)
    points = coordinates[(coordinates["target"] == target) & (coordinates["method"] == method)]
    st.markdown(word_map.sentence(coordinates, pairs, target, method))
    for column, member in zip(st.columns(2, gap="large"), (False, True), strict=True):
        with column:
            side = "with" if member else "without"
            figure = word_map.figure(coordinates, pairs, target, method, member)
            title = f"Shadow model {side} the target"
            panels.figure(figure, points[points["member"] == member], f"map-{side}", "", title=title)
