"""A click on a point or bar of a figure, taken as the choice in a select box."""

from typing import Any, cast

import streamlit as st


def choose(figure: str, chosen: str) -> dict[str, Any]:
    """Return the options of a figure in which a click on a point chooses the number in its ``customdata``.

    Args:
        figure: Name of the figure.
        chosen: Key of the select box.
    """
    return {"on_select": lambda: _take(figure, chosen), "selection_mode": "points"}


def _take(figure: str, chosen: str) -> None:
    """Choose the number of the clicked point; a click beside all points changes nothing."""
    points = cast(Any, st.session_state[f"{figure}.figure"]).selection.points
    numbers = [point["customdata"] for point in points if "customdata" in point]
    if numbers:
        st.session_state[chosen] = int(numbers[0][0] if isinstance(numbers[0], list) else numbers[0])
