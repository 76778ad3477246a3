"""The screen of a participant: the step of the room, their own prediction, and everybody's dots."""

import time

import streamlit as st

from dashboard.kit import address, glossary, panels
from dashboard.kit.words import literal
from dashboard.topics.lessons import asking, handout, reveal, shelf
from dashboard.topics.lessons.lesson import Adversary, Prediction, Step
from dashboard.topics.lessons.room import chart, live, together
from dashboard.topics.lessons.room.view import ROOM, STEP, RoomView, rooms


def show(view: RoomView) -> None:
    """Draw the step."""
    ahead = view.number != view.room.step
    address.show({ROOM: view.room.code, **({STEP: str(view.number)} if ahead else {})}, repeated=True)
    if view.person.step != view.number:
        rooms().follow(view.room.code, view.person.visitor, view.number)
    _where(view)
    if view.number > view.lesson.last:
        live.follow(view)
        handout.show(view.lesson, view.locked_predictions())
        return
    with st.container(key="lesson"):
        if view.pooled is not None:
            st.title(literal(view.pooled.title), anchor=False)
            together.participant(view, view.pooled)
        elif view.step is None:
            st.title(literal(view.lesson.title), anchor=False)
            reveal.text(view.lesson.question)
            reveal.text(view.lesson.story)
            st.markdown("You are in. The first question appears here as soon as it is opened.")
        else:
            st.title(literal(view.step.title), anchor=False)
            _step(view, view.step)
        live.follow(view)
        if view.step is not None and view.stage.is_revealed:
            chart.show(view.step.prediction, view.predictions(), view.own_prediction, view.widgets, is_shown=True)
            _items(view, view.step)
            reveal.explain(view.step)
        if view.pooled is not None:
            together.explained(view, view.pooled)
    if view.room.ahead:
        _links(view)


def _step(view: RoomView, step: Step) -> None:
    """Ask for the prediction, or show the locked one; the situation is left out once the answer is revealed."""
    if not view.stage.is_revealed:
        reveal.text(step.situation)
    if view.own_prediction is not None:
        reveal.locked(step.prediction, view.own_prediction)
        if not view.stage.is_revealed:
            _items(view, step)
    elif view.stage.is_closed(time.time()):
        reveal.text(step.prediction.label)
        st.info("This step was locked before you predicted.", icon=":material/lock:")
    else:
        value = asking.ask(step.prediction, view.widgets, chart.known)
        st.button(
            "Lock my prediction",
            key="room.vote",
            on_click=panels.act,
            args=(_vote, view, step.prediction),
            type="primary",
            icon=":material/lock:",
            disabled=value is None,
        )


def _items(view: RoomView, step: Step) -> None:
    if isinstance(step.prediction, Adversary) and isinstance(view.own_prediction, tuple):
        reveal.item_by_item(step.prediction, view.own_prediction, is_revealed=view.stage.is_revealed)


def _vote(view: RoomView, prediction: Prediction) -> None:
    value = asking.chosen(prediction, view.widgets)
    if value is not None and asking.fits(prediction, value):
        rooms().vote(view.room.code, view.number, view.person.visitor, value)


def _where(view: RoomView) -> None:
    steps = len(view.lesson.steps)
    step = f" · Step {view.number} of {steps}" if 0 < view.number <= steps else ""
    name = f" · {view.person.nickname}" if view.person.nickname else ""
    text = f"Room {view.room.code}{step}{name}"
    st.caption(literal(text), help=glossary.explained(text))


def _links(view: RoomView) -> None:
    """Offer the other steps, where participants may run ahead."""
    panels.note("You may go at your own pace.")
    with st.container(horizontal=True, key="lesson-links"):
        for label, number in (("Back", view.number - 1), ("Next", view.number + 1)):
            if 0 < number <= view.lesson.last:
                query = {ROOM: view.room.code, STEP: str(number)}
                st.page_link(shelf.PAGE, label=label, query_params=query, width="content")
        if view.number != view.room.step:
            st.page_link(shelf.PAGE, label="With the room", query_params={ROOM: view.room.code}, width="content")
