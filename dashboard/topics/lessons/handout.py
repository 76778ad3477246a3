"""The sheet of a lesson, one page: questions, predictions, and what was measured where that is revealed."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.kit import glossary, panels
from dashboard.kit.words import capitalised, literal
from dashboard.topics.lessons import evidence, predictions, reveal
from dashboard.topics.lessons.lesson import Lesson, Step
from dashboard.topics.lessons.predictions import Given

BLANK = ""
"""Stands where somebody writes with a pen."""
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


def show(lesson: Lesson, all_given: Sequence[Given | None] | None = None) -> None:
    """Draw the sheet; `dashboard/assets/style.css` prints it without the page around it.

    Args:
        lesson: The lesson.
        all_given: The predictions of all steps in a room; those of the session where nobody else plays.
    """
    alone = all_given is None
    if all_given is None:
        all_given = [predictions.given(lesson.name, number) for number in range(1, len(lesson.steps) + 1)]
    st.title(literal(lesson.title), anchor=False)
    with st.container(key="sheet"):
        reveal.text(lesson.story)
        st.table(_questions(lesson, all_given))
        st.header("True or not?", anchor=False)
        for step, given in zip(lesson.steps, all_given, strict=True):
            _belief(step, is_shown=given is not None and given.is_revealed)
        if all(given is not None and given.is_revealed for given in all_given):
            st.header("To remember", anchor=False)
            reveal.text(lesson.takeaway)
        for term in lesson.terms:
            st.markdown(f"**{literal(capitalised(term))}**: {literal(glossary.TERMS[term])}", help=glossary.TERMS[term])
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
    """Show what many believe, and what to believe instead once its answer is shown."""
    believed, truth = (evidence.filled(text) for text in (step.misconception, step.truth))
    if is_shown:
        reveal.text(f"{believed} {truth}", f"*{literal(believed)}* Not so. {literal(truth)}")
    else:
        reveal.text(believed, f"*{literal(believed)}*")


def _questions(lesson: Lesson, all_given: Sequence[Given | None]) -> pd.DataFrame:
    """Return the questions with one's own predictions and, where they are revealed, what was measured."""
    rows = []
    for step, given in zip(lesson.steps, all_given, strict=True):
        predicted = reveal.said(step.prediction, given.value) if given and given.value is not None else BLANK
        measured = reveal.measured(step.prediction, given.value) if given and given.is_revealed else BLANK
        rows.append((literal(f"{step.title}. {step.prediction.label}"), literal(predicted), literal(measured)))
    return pd.DataFrame(rows, columns=["Question", "I predict", "Measured"]).set_index("Question")
