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
    """Draw the attack on a canary step by step; where this course was not kept, that on a similar canary."""
    kept = result.tables["mixtures"]
    if kept.empty:
        st.caption(
            "This experiment keeps no steps of its attacks; the fine settings of the game set how many are kept."
        )
        return
    shown = _nearest(result.tables["canaries"], kept, canary)
    st.header("The attack step by step", anchor=False)
    if shown.model != canary.model:
        st.caption(
            f"Steps are kept for some trials only. This is trial {shown.trial + 1}: "
            f"{canaries.shown(int(shown.repetitions)).lower()}, the secret “{shown.truth}”."
        )
    attack_method = canaries.own_method(result.tables["cells"])
    course, truth = charts.of(kept, shown.model, shown.pattern), shown.truth.split()
    left, right = st.columns(2, gap="large")
    with left:
        sentence = charts.sentence(course, truth, _row(result, shown, attack_method).guess.split())
        panels.figure(charts.figure(course, truth), course, "course", sentence, title=charts.TITLE)
    with right:
        sentence = charts.lines_sentence(course, truth)
        panels.figure(charts.lines(course, truth), course, "true-words", sentence, title=charts.LINES_TITLE)
    ends = restarts.ends(result.tables["runs"], shown)
    drawn = restarts.figure(ends, shown.loss, _row(result, shown, "random").loss)
    panels.figure(drawn, ends, "restarts", restarts.sentence(ends, shown.loss), title=restarts.TITLE)
    if len(ends) > restarts.SHOWN:
        st.caption(f"The figure shows the {restarts.SHOWN} results with the lowest loss of {len(ends)}.")


def _nearest(canaries_table: pd.DataFrame, kept: pd.DataFrame, canary: Any) -> Any:
    """Return the canary itself where its course is kept, else one of the same pattern, best with its repetitions."""
    alike = canaries_table[(canaries_table["pattern"] == canary.pattern) & canaries_table["model"].isin(kept["model"])]
    order = sorted(
        records(alike), key=lambda row: (row.model != canary.model, row.repetitions != canary.repetitions, row.trial)
    )
    return order[0]


def _row(result: Result, canary: Any, method: str) -> Any:
    """Return the answer of a method about a canary."""
    guesses = result.tables["guesses"]
    about_canary = (guesses["model"] == canary.model) & (guesses["pattern"] == canary.pattern)
    return records(guesses[about_canary & (guesses["method"] == method)])[0]
