"""Chooses the screen of a room by the role of the visitor."""

import streamlit as st

from core.errors import RoomRefused, StoreError
from dashboard.kit import panels, visitors
from dashboard.room.rooms_file import Person, Room
from dashboard.topics.lessons import evidence, reveal
from dashboard.topics.lessons.lesson import Lesson
from dashboard.topics.lessons.room import entrance, facilitator, participant, presenter
from dashboard.topics.lessons.room.view import KEY, ROOM, STEP, RoomView, lesson_of, rooms


def show() -> None:
    """Draw the room in the address, or ask for its code."""
    typed = st.query_params[ROOM]
    try:
        room = rooms().find(typed)
        if typed != room.code:
            st.query_params[ROOM] = room.code
        lesson = lesson_of(room)
        secret, person = st.query_params.get(KEY, ""), rooms().person(room.code, visitors.digest())
        if secret and (person is None or person.role != "facilitator"):
            rooms().check_secret(room.code, secret)
            entrance.lead(room, lesson, secret)
        else:
            _draw(room, lesson, person)
    except RoomRefused as error:
        entrance.ask(typed, error)
    except StoreError as error:
        panels.show_error(error)
    except evidence.Missing as missing:
        reveal.missing_result(missing)


def _draw(room: Room, lesson: Lesson, person: Person | None) -> None:
    if presenter.is_open():
        looking = person or Person(visitors.digest(), "participant", "", room.created, 0)
        presenter.in_room(RoomView(room, lesson, looking, room.step))
    elif person is None:
        entrance.join(room, lesson)
    elif person.role == "facilitator":
        facilitator.show(RoomView(room, lesson, person, room.step))
    else:
        participant.show(RoomView(room, lesson, person, _number(room, lesson)))


def _number(room: Room, lesson: Lesson) -> int:
    """Return the step of a participant: that of the room, or that of the address where participants may run ahead."""
    step = st.query_params.get(STEP, "")
    if room.ahead and step in map(str, range(1, lesson.last + 1)):
        return int(step)
    return room.step
