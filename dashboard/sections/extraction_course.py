"""How the attack on one canary went: the mixtures as they settle, and where each random beginning ended."""

from typing import Any

import pandas as pd
import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import canaries, extraction_course, restarts
from dashboard.charts.tables import records


def show(result: Result, canary: Any) -> None:
    """Draw the course of the attack on a canary, or on another like it where that one's was not kept."""
    kept = result.tables["mixtures"]
    if kept.empty:
        st.caption("This experiment keeps no course of its attacks; the fine settings of its game say of how many.")
        return
    shown = _nearest(result.tables["canaries"], kept, canary)
    st.header("Watch it settle", anchor=False)
    if shown.model != canary.model:
        st.caption(
            f"The course is kept of some trials only, and this is trial {shown.trial + 1}: "
            f"{canaries.shown(int(shown.repetitions)).lower()}, the secret “{shown.truth}”."
        )
    own = canaries.own_method(result.tables["cells"])
    course, truth = extraction_course.of(kept, shown.model, shown.pattern), shown.truth.split()
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            extraction_course.figure(course, truth),
            course,
            "course",
            extraction_course.sentence(course, truth, _guess(result, shown, own).split()),
            title=extraction_course.TITLE,
        )
    with right:
        panels.figure(
            extraction_course.lines(course, truth),
            course,
            "true-words",
            extraction_course.lines_sentence(course, truth),
            title=extraction_course.LINES_TITLE,
        )
    ends = restarts.ends(result.tables["runs"], shown)
    guess = _row(result, shown, "random")
    panels.figure(
        restarts.figure(ends, shown.loss, guess.loss),
        ends,
        "restarts",
        restarts.sentence(ends, shown.loss),
        title=restarts.TITLE,
    )
    if len(ends) > restarts.SHOWN:
        st.caption(f"The {restarts.SHOWN} of {len(ends)} different ends with the smallest loss are drawn.")


def _nearest(told: pd.DataFrame, kept: pd.DataFrame, canary: Any) -> Any:
    """Return the canary itself where its course is kept, else one of the same pattern, as often shown."""
    alike = told[(told["pattern"] == canary.pattern) & told["model"].isin(kept["model"])]
    order = sorted(
        records(alike), key=lambda row: (row.model != canary.model, row.repetitions != canary.repetitions, row.trial)
    )
    return order[0]


def _guess(result: Result, canary: Any, method: str) -> str:
    return str(_row(result, canary, method).guess)


def _row(result: Result, canary: Any, method: str) -> Any:
    """Return what a method read of a canary."""
    guesses = result.tables["guesses"]
    mine = (guesses["model"] == canary.model) & (guesses["pattern"] == canary.pattern) & (guesses["method"] == method)
    return records(guesses[mine])[0]
