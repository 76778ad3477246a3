"""The way into a room: who looks at it decides which of its screens is drawn."""

import streamlit as st

from core.errors import RoomRefused, StoreError
from dashboard.kit import panels
from dashboard.room.rooms_file import Person, Room
from dashboard.topics.lessons import evidence
from dashboard.topics.lessons.lesson import Lesson
from dashboard.topics.lessons.room import entrance, facilitator, participant, presenter
from dashboard.topics.lessons.room.place import KEY, ROOM, STEP, Place, lesson_of, rooms, visitor


def is_open() -> bool:
    """Tell whether the address leads to a room."""
    return ROOM in st.query_params


def show() -> None:
    """Draw the room in the address, or ask for its code."""
    said = st.query_params[ROOM]
    try:
        room = rooms().find(said)
        lesson = lesson_of(room)
        if secret := st.query_params.get(KEY, ""):
            rooms().admit(room.code, secret, visitor())
        person = rooms().person(room.code, visitor())
    except RoomRefused as error:
        entrance.ask(said, error)
        return
    except StoreError as error:
        panels.show_error(error)
        return
    if person is None and not presenter.is_asked():
        entrance.join(room, lesson)
        return
    try:
        if person is None or presenter.is_asked():
            looking = person or Person(visitor(), "participant", "", room.created, 0)
            presenter.in_room(Place(room, lesson, looking, min(room.step, len(lesson.steps))))
            return
        place = Place(room, lesson, person, _number(room, lesson, person))
        (facilitator if person.role == "facilitator" else participant).show(place)
    except evidence.Missing as missing:
        panels.note(f"A result of this lesson is not installed: {missing}.")


def _number(room: Room, lesson: Lesson, person: Person) -> int:
    """Return the step to show: that of the room, or one's own where participants may run ahead."""
    said = st.query_params.get(STEP, "")
    if room.ahead and person.role == "participant" and said in map(str, range(1, len(lesson.steps) + 1)):
        return int(said)
    return room.step
