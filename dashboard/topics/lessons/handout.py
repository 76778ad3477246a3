"""The sheet of a lesson, one page: questions, predictions, and measured values where they are revealed."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.kit import panels
from dashboard.kit.words import ended, literal
from dashboard.topics.lessons import evidence, predictions, reveal
from dashboard.topics.lessons.lesson import Lesson, Step
from dashboard.topics.lessons.predictions import Locked

BLANK = ""
"""An empty cell, to be filled in with a pen."""
_HTML = '<button type="button">Print this sheet</button>'
_CSS = """
button {
    padding: 0.4rem 0.9rem; border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
    background: none; color: var(--st-text-color); font: inherit; cursor: pointer;
}
button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
"""
_JS = """export default ({ parentElement }) => {
    parentElement.querySelector("button").onclick = () => window.print();
}"""
_printer = st.components.v2.component("telltale.print", html=_HTML, css=_CSS, js=_JS)


def show(lesson: Lesson, all_locked: Sequence[Locked | None] | None = None) -> None:
    """Draw the sheet; `dashboard/assets/style.css` prints it without the page around it.

    Args:
        lesson: The lesson.
        all_locked: The predictions of all steps in a room, or None for those of the session.
    """
    alone = all_locked is None
    if all_locked is None:
        all_locked = [predictions.locked(lesson.name, number) for number in range(1, len(lesson.steps) + 1)]
    with st.container(key="sheet"):
        st.title(literal(lesson.title), anchor=False)
        reveal.text(lesson.story)
        st.table(_questions(lesson, all_locked))
        st.header("True or not?", anchor=False)
        for step, locked in zip(lesson.steps, all_locked, strict=True):
            _belief(step, is_shown=locked is not None and locked.is_revealed)
        if all(locked is not None and locked.is_revealed for locked in all_locked):
            st.header("To remember", anchor=False)
            reveal.text(lesson.takeaway)
        reveal.terms(lesson)
        panels.note(f"After {lesson.source} Telltale, lesson “{lesson.name}”; every figure is a stored result.")
    with st.container(horizontal=True, key="sheet-actions"):
        _printer(key=f"{lesson.name}.print")
        if alone:
            st.button(
                "Forget my predictions",
                key=f"{lesson.name}.forget",
                icon=":material/restart_alt:",
                on_click=predictions.forget,
                args=(lesson.name,),
            )


def _belief(step: Step, *, is_shown: bool) -> None:
    """Show a misconception, and the truth once the answer of its step is shown."""
    believed, truth = (evidence.filled(text) for text in (step.misconception, step.truth))
    if is_shown:
        reveal.text(f"{believed} {truth}", f"*{literal(believed)}* Not so. {literal(truth)}")
    else:
        reveal.text(believed, f"*{literal(believed)}*")


def _questions(lesson: Lesson, all_locked: Sequence[Locked | None]) -> pd.DataFrame:
    """Return the questions with the viewer's own predictions and, where they are revealed, the measured values."""
    rows = []
    for step, locked in zip(lesson.steps, all_locked, strict=True):
        predicted = reveal.predicted(step.prediction, locked.value) if locked and locked.value is not None else BLANK
        measured = reveal.measured(step.prediction, locked.value) if locked and locked.is_revealed else BLANK
        rows.append((literal(f"{ended(step.title)} {step.prediction.label}"), literal(predicted), literal(measured)))
    return pd.DataFrame(rows, columns=["Question", "I predict", "Measured"]).set_index("Question")
