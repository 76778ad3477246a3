"""The sheet of a lesson: its questions, the predictions beside what was measured, and what to remember; one page."""

import pandas as pd
import streamlit as st

from dashboard.kit import glossary
from dashboard.kit.words import capitalised, literal
from dashboard.topics.lessons import evidence, predictions, reveal
from dashboard.topics.lessons.lesson import Lesson

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


def show(lesson: Lesson) -> None:
    """Draw the sheet; `dashboard/assets/style.css` prints it without the page around it."""
    st.title(literal(lesson.title), anchor=False)
    with st.container(key="sheet"):
        reveal.text(lesson.story)
        st.table(_questions(lesson))
        st.header("To remember", anchor=False)
        reveal.text(lesson.takeaway)
        for step in lesson.steps:
            said = f"Not so: {step.misconception}"
            truth = evidence.filled(step.truth)
            reveal.text(f"{said} {truth}", f"*{literal(step.misconception)}* Rather: {literal(truth)}")
        for term in lesson.terms:
            st.markdown(f"**{literal(capitalised(term))}**: {literal(glossary.TERMS[term])}", help=glossary.TERMS[term])
        st.caption(literal(f"After {lesson.source} Telltale, lesson “{lesson.name}”; every figure is a stored result."))
    with st.container(horizontal=True, key="sheet-actions"):
        _printer(key=f"{lesson.name}.print")
        st.button(
            "Forget my predictions",
            key=f"{lesson.name}.forget",
            icon=":material/restart_alt:",
            on_click=predictions.forget,
            args=(lesson.name,),
        )


def _questions(lesson: Lesson) -> pd.DataFrame:
    """Return the questions with one's own predictions and, where they are revealed, what was measured."""
    rows = []
    for number, step in enumerate(lesson.steps, start=1):
        given = predictions.given(lesson.name, number)
        predicted = reveal.said(step.prediction, given.value) if given else BLANK
        measured = reveal.measured(step.prediction, given.value) if given and given.is_revealed else BLANK
        rows.append((literal(f"{step.title}. {step.prediction.label}"), literal(predicted), literal(measured)))
    return pd.DataFrame(rows, columns=["Question", "I predict", "Measured"]).set_index("Question")
