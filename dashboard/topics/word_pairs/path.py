"""A slider along the LASSO path: number of pairs and accuracy of the attack at each penalty."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.topics.word_pairs.figures import path

_CHOSEN = "view.penalty"
_START = f"{_CHOSEN}/start"
"""Penalty at which the slider last started; it starts anew where the answer's penalty is another."""


@st.fragment
def show(result: Result, target: int, size: int) -> None:
    """Draw the path of a target and mark the chosen penalty and the answer's."""
    attack = result.experiment["attack"]
    answer = path.answer(attack, result.tables, target)
    weights, curve = path.with_answer(result.tables, attack["part"], answer)
    steps = path.penalties(curve, weights)
    if not steps:
        return
    penalty = None if answer is None else answer.penalty
    st.header("Along the LASSO path", anchor=False)
    start = path.nearest(steps, penalty)
    if st.session_state.setdefault(_START, start) != start:
        st.session_state.pop(_CHOSEN, None)
        st.session_state[_START] = start
    chosen = st.select_slider(
        "Penalty: stronger keeps fewer pairs",
        steps,
        start,
        format_func=lambda step: f"{step:.3g}",
        key=_CHOSEN,
        bind="query-params",
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure, table = path.weights(weights, target, chosen, penalty), path.selected(weights, target, chosen)
        text = path.weights_sentence(weights, target, chosen)
        panels.figure(figure, table, "path-weights", text, title="Weights as pairs enter")
    with right:
        figure = path.quality(curve, attack["part"], size, chosen, penalty)
        text = path.sentence({**result.tables, "path": weights, "curve": curve}, attack["part"], target, chosen, answer)
        table = path.along(curve, attack["part"], size)
        panels.figure(figure, table, "path-quality", text, title="Accuracy by penalty")
