"""The screen of a participant: the step of the room, one's own prediction, and the dots of all."""

import time

import streamlit as st

from dashboard.kit import address, glossary, panels
from dashboard.kit.words import literal
from dashboard.topics.lessons import asking, handout, reveal, shelf
from dashboard.topics.lessons.lesson import Step
from dashboard.topics.lessons.room import chart, live, together
from dashboard.topics.lessons.room.place import ROOM, STEP, Place, act, fits, rooms


def show(place: Place) -> None:
    """Draw the step."""
    ahead = place.number != place.room.step
    address.show({ROOM: place.room.code, **({STEP: str(place.number)} if ahead else {})}, repeated=True)
    if place.person.step != place.number:
        rooms().follow(place.room.code, place.person.visitor, place.number)
    _where(place)
    if place.number > place.lesson.last:
        live.follow(place)
        handout.show(place.lesson, place.all_given())
        return
    with st.container(key="lesson"):
        if place.pooled is not None:
            st.title(literal(place.pooled.title), anchor=False)
            together.participant(place, place.pooled)
        elif place.step is None:
            st.title(literal(place.lesson.title), anchor=False)
            reveal.text(place.lesson.question)
            reveal.text(place.lesson.story)
            st.markdown("You are in. The first question appears here as soon as it is opened.")
        else:
            st.title(literal(place.step.title), anchor=False)
            _step(place, place.step)
        live.follow(place)
        if place.step is not None and place.stage.is_revealed:
            chart.show(place.step.prediction, place.predictions(), place.own_here, place.widgets, is_shown=True)
            reveal.explain(place.step)
        if place.pooled is not None:
            together.explained(place, place.pooled)
    if place.room.ahead:
        _links(place)


def _step(place: Place, step: Step) -> None:
    """Ask for the prediction, or show the one that was given; once all is revealed, what led to it gives room."""
    if not place.stage.is_revealed:
        reveal.text(step.situation)
    if place.own_here is not None:
        reveal.locked(step.prediction, place.own_here)
    elif place.stage.is_closed(time.time()):
        reveal.text(step.prediction.label)
        st.info("This step is locked, and no prediction of yours came before.", icon=":material/lock:")
    else:
        value = asking.ask(step.prediction, place.widgets)
        st.button(
            "Lock my prediction",
            key="room.vote",
            on_click=act,
            args=(_vote, place),
            type="primary",
            icon=":material/lock:",
            disabled=value is None,
        )


def _vote(place: Place) -> None:
    """Keep what the control holds when the button is pressed."""
    prediction = None if place.step is None else place.step.prediction
    value = None if prediction is None else asking.chosen(prediction, place.widgets)
    if prediction is not None and value is not None and fits(prediction, value):
        rooms().vote(place.room.code, place.number, place.person.visitor, value)


def _where(place: Place) -> None:
    """Say where this is, and under which name."""
    steps = len(place.lesson.steps)
    step = f" · Step {place.number} of {steps}" if 0 < place.number <= steps else ""
    name = f" · {place.person.nickname}" if place.person.nickname else ""
    said = f"Room {place.room.code}{step}{name}"
    st.caption(literal(said), help=glossary.explained(said))


def _links(place: Place) -> None:
    """Offer the other steps, where participants may run ahead."""
    panels.note("You may go at your own pace.")
    with st.container(horizontal=True, key="lesson-links"):
        for label, number in (("Back", place.number - 1), ("Next", place.number + 1)):
            if 0 < number <= place.lesson.last:
                query = {ROOM: place.room.code, STEP: str(number)}
                st.page_link(shelf.PAGE, label=label, query_params=query, width="content")
        if place.number != place.room.step:
            st.page_link(shelf.PAGE, label="With the room", query_params={ROOM: place.room.code}, width="content")
