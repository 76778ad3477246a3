"""A slider along the LASSO path: number of pairs and accuracy of the attack at each penalty."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.topics.word_pairs.figures import path


@st.fragment
def show(result: Result, target: int, size: int) -> None:
    """Draw the path of a target and mark the chosen penalty and the answer's."""
    attack, curve, weights = result.experiment["attack"], result.tables["curve"], result.tables["path"]
    steps = path.penalties(curve, weights)
    if not steps:
        return
    answer = path.answer(attack, result.tables, target)
    penalty = None if answer is None else answer.penalty
    st.header("Along the LASSO path", anchor=False)
    chosen = st.select_slider(
        "Penalty: stronger keeps fewer pairs",
        steps,
        path.nearest(steps, penalty),
        format_func=lambda step: f"{step:.3g}",
        key="view.penalty",
        bind="query-params",
    )
    sentence = path.sentence(result.tables, attack["part"], target, chosen, answer)
    left, right = st.columns([3, 2], gap="large")
    with left:
        panels.figure(
            path.weights(weights, target, chosen, penalty),
            path.kept(weights, target, chosen),
            "path-weights",
            path.weights_sentence(weights, target, chosen),
            title="Weights as pairs enter",
        )
    with right:
        panels.figure(
            path.quality(curve, attack["part"], size, chosen, penalty),
            path.along(curve, attack["part"], size),
            "path-quality",
            sentence,
            title="Accuracy by penalty",
        )
