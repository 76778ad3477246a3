"""A click on a point or bar of a figure, taken as the choice in a select box."""

from typing import Any, cast

import streamlit as st


def take(figure: str, chosen: str) -> None:
    """Choose the number in the ``customdata`` of the clicked point; a click beside all points changes nothing.

    Args:
        figure: Name of the figure.
        chosen: Key of the select box.
    """
    points = cast(Any, st.session_state[f"{figure}.figure"]).selection.points
    numbers = [point["customdata"] for point in points if "customdata" in point]
    if numbers:
        st.session_state[chosen] = int(numbers[0][0] if isinstance(numbers[0], list) else numbers[0])
