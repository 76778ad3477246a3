"""The screen of a facilitator: the controls of the room, who predicted, and the step as everybody sees it."""

import streamlit as st

from dashboard.kit import address
from dashboard.kit.words import literal
from dashboard.topics.lessons import handout, reveal
from dashboard.topics.lessons.lesson import Step
from dashboard.topics.lessons.room import chart, controls, invitation, live, presenter, together
from dashboard.topics.lessons.room.view import ROOM, RoomView


def show(view: RoomView) -> None:
    """Draw the step and its controls."""
    address.show({ROOM: view.room.code}, repeated=True)
    steps = len(view.lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-place"):
        where = f" · Step {view.number} of {steps}" if view.step is not None else ""
        st.caption(literal(f"You lead the room {view.room.code}{where}"), width="content")
        presenter.link(view.lesson, min(view.number, view.lesson.last), view.room.code)
    is_over = view.number > view.lesson.last
    title = "To take home" if is_over else (view.step or view.pooled or view.lesson).title
    st.title(literal(title), anchor=False)
    controls.show(view)
    with st.container(key="lesson"):
        if view.pooled is not None:
            reveal.text(view.pooled.situation)
        live.follow(view, "everything", live.OF_ALL)
        if view.pooled is not None:
            together.explained(view, view.pooled)
        if view.step is not None:
            _step(view, view.step)
        elif not view.number:
            invitation.show(view.room)
            reveal.text(view.lesson.story)
    if is_over:
        handout.show(view.lesson, view.locked_predictions())
    st.divider()
    controls.more(view)


def _step(view: RoomView, step: Step) -> None:
    if not view.stage.is_revealed:
        reveal.text(step.situation)
        reveal.text(step.prediction.label)
        chart.question(step.prediction, view.widgets)
        return
    reveal.text(step.prediction.label)
    predictions = view.predictions()
    if len(predictions) > 1:
        reveal.show(step, predictions, view.widgets)
    else:  # `reveal.show` takes a single prediction for the viewer's own
        chart.show(step.prediction, predictions, None, view.widgets, is_shown=True)
        reveal.explain(step)
