"""The answer of a step: predictions and measurement on the same axes, why, and the misconception it meets."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.statistics.wording.naming import capitalised, counted
from core.statistics.wording.units import in_percent
from dashboard.kit import chart, glossary, links, panels
from dashboard.kit.figures.tables import records
from dashboard.kit.words import literal
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import asking, caveats, evidence
from dashboard.topics.lessons.figures import answers, beside, contest, missing, options
from dashboard.topics.lessons.lesson import Adversary, Choice, Lesson, Number, Point, Prediction, Step

_RIGHT, _WRONG = ":green[:material/check_circle:]", ":red[:material/cancel:]"


def show(step: Step, predictions: Sequence[Value], name: str) -> None:
    """Draw the answer.

    Args:
        step: The step.
        predictions: The viewer's own prediction, or those of a room.
        name: Name of the figure.
    """
    figure(step.prediction, predictions, name)
    explain(step)


def explain(step: Step) -> None:
    """Show why it comes out so, what many think instead, and where to look further."""
    st.subheader("Why", anchor=False)
    text(step.why)
    with st.container(border=True, key="misconception"):
        text(f"Many think: {step.misconception}", f"**Many think:** {literal(evidence.filled(step.misconception))}")
        text(step.truth)
    entry = evidence.entry(step.further[0])
    links.page_link(entry.experiment, f"Go further: {step.further[1]}", ":material/arrow_outward:")


def figure(prediction: Prediction, predictions: Sequence[Any], name: str) -> None:
    """Draw what was predicted beside what was measured, with what must stand beside it."""
    caveats.show(prediction)
    if isinstance(prediction, Adversary):
        result, items = asking.game(prediction)
        blind = evidence.estimate(prediction.measured["Text alone"]).value
        chart.show(contest, items, name, items, predictions, blind, drawn=result.tables["roc"])
        if len(predictions) == 1:
            item_by_item(prediction, predictions[0])
        return
    measure = prediction.measure if isinstance(prediction, Choice) else ""
    rows = answers.table(evidence.estimates(prediction.measured), measure)
    match prediction:
        case Number():
            chart.show(beside, rows, name, tuple(predictions), prediction.ends)
        case Choice():
            chart.show(options, rows, name, tuple(predictions))
        case Point():
            chart.show(missing, rows, name, prediction, tuple(predictions), True)


def text(content: str, markdown: str = "") -> None:
    """Show a text with its placeholders filled, and explain the terms in it."""
    content = evidence.filled(content)
    st.markdown(markdown or literal(content), help=glossary.explained(content))


def missing_result(error: evidence.Missing) -> None:
    """Say which result is not installed, in place of what it would fill."""
    st.info(literal(f"A result of this lesson is not installed: {error}."), icon=":material/info:")


def terms(lesson: Lesson) -> None:
    """Explain the terms that a lesson needs."""
    for term in lesson.terms:
        st.markdown(f"**{literal(capitalised(term))}**: {literal(glossary.TERMS[term])}", help=glossary.TERMS[term])


def locked(prediction: Prediction, value: Value) -> None:
    """Show a locked prediction in place of its control."""
    with st.container(gap="xsmall", key="locked"):
        text(prediction.label)
        value_text = predicted(prediction, value)
        text(f"You predicted {value_text}.", f"You predicted **{literal(value_text)}**.")


def predicted(prediction: Prediction, value: Value) -> str:
    """Return a prediction as text."""
    if isinstance(value, tuple):
        return f"{sum(value)} of {counted(len(value), 'item')} in"
    if isinstance(value, str) or isinstance(prediction, Choice | Adversary):
        return f"“{value}”"
    figure = evidence.estimate(prediction.answer)
    return answers.written(value, in_percent(figure.unit), evidence.unit(figure))


def measured(prediction: Prediction, value: Value | None) -> str:
    """Return the measured value as text, or how many items the prediction and the attack have right."""
    if isinstance(prediction, Adversary):
        _, items = asking.game(prediction)
        attack = contest.right(items, (items["score"] > 0).tolist())
        if isinstance(value, tuple):
            return f"{contest.right(items, value)} of {len(items)} right, the attack {attack}; chance is half"
        return f"{attack} of {len(items)} right by the attack; chance is half"
    if isinstance(prediction, Choice):
        options_measured = evidence.estimates(prediction.measured)
        best = options.best(answers.table(options_measured))
        return f"“{best}”: {evidence.written(options_measured[best])}"
    return evidence.written(evidence.estimate(prediction.answer))


def item_by_item(prediction: Adversary, decisions: tuple[bool, ...], *, is_revealed: bool = True) -> None:
    """Show, folded away, for each item the viewer's own decision, and whether it is right once that is revealed."""
    label = "What you said"
    if is_revealed:
        correct = contest.right(asking.game(prediction)[1], decisions)
        label = f"Item by item: you were right about {correct} of {len(decisions)}"
    panels.folded(label, lambda: _items(prediction, decisions, is_revealed), icon=":material/list:")


def _items(prediction: Adversary, decisions: tuple[bool, ...], is_revealed: bool) -> None:
    names = [asking.IN if decision else asking.OUT for decision in decisions]
    if not is_revealed:
        for item, name in zip(asking.numbered(prediction), names, strict=False):
            st.markdown(f"{item}  \n:gray[you said: {name.lower()}]")
        return
    rows = zip(records(asking.game(prediction)[1]), asking.texts(prediction), names, decisions, strict=True)
    for number, (row, item, name, decision) in enumerate(rows, start=1):
        mark = _RIGHT if decision == row.member else _WRONG
        truth = asking.IN if row.member else asking.OUT
        st.markdown(f"{mark} {number}\\. {item}  \n:gray[{truth}; you said: {name.lower()}]")
