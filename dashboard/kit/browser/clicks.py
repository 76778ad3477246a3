"""A click on a point or bar of a figure, as a choice in a select box."""

from typing import Any, cast

import streamlit as st


def choose(figure: str, chosen: str) -> dict[str, Any]:
    """Return the options of a figure in which a click on a point chooses the number in its ``customdata``.

    Args:
        figure: Name of the figure.
        chosen: Key of the select box.
    """
    return {"on_select": lambda: _take(figure, chosen), "selection_mode": "points"}


def numbers(figure: str) -> list[int]:
    """Return the numbers in the ``customdata`` of the clicked points; none for a click beside all points."""
    points = cast(Any, st.session_state[f"{figure}.figure"]).selection.points
    data = [point["customdata"] for point in points if "customdata" in point]
    return [int(number[0] if isinstance(number, list) else number) for number in data]


def _take(figure: str, chosen: str) -> None:
    for number in numbers(figure)[:1]:
        st.session_state[chosen] = number
