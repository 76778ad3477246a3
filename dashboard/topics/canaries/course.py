"""The course of the attack on one canary: the mixtures over the steps, and the result of each random restart."""

from typing import Any

import pandas as pd
import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.kit.figures.tables import records
from dashboard.topics.canaries.figures import canaries, restarts
from dashboard.topics.canaries.figures import course as charts


def show(result: Result, canary: Any) -> None:
    """Draw the attack on a canary step by step, or on a similar canary where its steps were not kept."""
    mixtures = result.tables["mixtures"]
    if mixtures.empty:
        st.caption(
            "This experiment keeps no steps of its attacks; the fine settings of the game set how many are kept."
        )
        return
    nearest = _nearest(result.tables["canaries"], mixtures, canary)
    st.header("The attack step by step", anchor=False)
    if nearest.model != canary.model:
        st.caption(
            f"Steps are kept for some trials only. This is trial {nearest.trial + 1}: "
            f"{canaries.shown_times(int(nearest.repetitions)).lower()}, the secret “{nearest.truth}”."
        )
    attack_method = canaries.own_method(result.tables["cells"])
    course, truth = charts.of(mixtures, nearest.model, nearest.pattern), nearest.truth.split()
    left, right = st.columns(2, gap="large")
    with left:
        sentence = charts.sentence(course, truth, _row(result, nearest, attack_method).guess.split())
        panels.figure(charts.figure(course, truth), course, "course", sentence, title=charts.TITLE)
    with right:
        sentence = charts.lines_sentence(course, truth)
        panels.figure(charts.lines(course, truth), course, "true-words", sentence, title=charts.LINES_TITLE)
    ends = restarts.ends(result.tables["runs"], nearest)
    figure = restarts.figure(ends, nearest.loss, _row(result, nearest, "random").loss)
    panels.figure(figure, ends, "restarts", restarts.sentence(ends, nearest.loss), title=restarts.TITLE)
    if len(ends) > restarts.MOST_SHOWN:
        st.caption(f"The figure shows the {restarts.MOST_SHOWN} results with the lowest loss of {len(ends)}.")


def _nearest(canaries_table: pd.DataFrame, mixtures: pd.DataFrame, canary: Any) -> Any:
    """Return the canary if its steps were kept, else one of its pattern, with its repetitions if possible."""
    alike = canaries_table[
        (canaries_table["pattern"] == canary.pattern) & canaries_table["model"].isin(mixtures["model"])
    ]
    return min(
        records(alike), key=lambda row: (row.model != canary.model, row.repetitions != canary.repetitions, row.trial)
    )


def _row(result: Result, canary: Any, method: str) -> Any:
    guesses = result.tables["guesses"]
    about_canary = (guesses["model"] == canary.model) & (guesses["pattern"] == canary.pattern)
    return records(guesses[about_canary & (guesses["method"] == method)])[0]
