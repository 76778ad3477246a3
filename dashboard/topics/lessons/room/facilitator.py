"""The screen of who leads a room: its controls, who predicted, and the step as everybody sees it."""

import streamlit as st

from dashboard.kit import address
from dashboard.kit.words import literal
from dashboard.topics.lessons import handout, reveal
from dashboard.topics.lessons.lesson import Step
from dashboard.topics.lessons.room import chart, controls, invitation, live, presenter, together
from dashboard.topics.lessons.room.place import ROOM, Place


def show(place: Place) -> None:
    """Draw the step and its controls."""
    address.show({ROOM: place.room.code}, repeated=True)
    steps = len(place.lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-place"):
        where = f" · Step {place.number} of {steps}" if place.step is not None else ""
        st.caption(literal(f"You lead the room {place.room.code}{where}"), width="content")
        presenter.link(place.lesson, min(place.number, place.lesson.last), place.room.code)
    part = place.step or place.pooled
    title = place.lesson.title if part is None else part.title
    st.title(literal(title), anchor=False)
    controls.show(place)
    with st.container(key="lesson"):
        if place.pooled is not None:
            reveal.text(place.pooled.situation)
        live.follow(place, "everything")
        if place.pooled is not None:
            together.explained(place, place.pooled)
        if place.step is not None:
            _step(place, place.step)
        elif not place.number:
            invitation.show(place.room)
            reveal.text(place.lesson.story)
    if place.number > place.lesson.last:
        handout.show(place.lesson, place.all_given())
    st.divider()
    controls.more(place)


def _step(place: Place, step: Step) -> None:
    if not place.stage.is_revealed:
        reveal.text(step.situation)
        reveal.text(step.prediction.label)
        return
    reveal.text(step.prediction.label)
    predictions = place.predictions()
    if len(predictions) > 1:
        reveal.show(step, predictions, place.widgets)
    else:  # there, a single prediction would be that of who looks
        chart.show(step.prediction, predictions, None, place.widgets, is_shown=True)
        reveal.explain(step)
