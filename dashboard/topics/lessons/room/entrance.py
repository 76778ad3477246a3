"""Entering a room: start one for a lesson, type a code, and join with a nickname or without."""

from functools import partial

import streamlit as st

from core.errors import RoomRefused, StoreError
from core.statistics.wording.naming import counted
from dashboard.kit import panels, visitors
from dashboard.kit.words import literal
from dashboard.room.codes import EXAMPLE, LENGTH
from dashboard.room.nicknames import LONGEST
from dashboard.room.rooms import MOST_OF_ONE, MOST_ROOMS
from dashboard.room.rooms_file import DAYS, Room
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.lesson import Lesson
from dashboard.topics.lessons.room import invitation
from dashboard.topics.lessons.room.view import ROOM, rooms


def start(lesson: Lesson) -> None:
    """Offer to start a room for a lesson, if this visitor may."""
    if visitors.may_lead():
        _start_button("Start a room", lesson)


def ask(typed: str, error: RoomRefused) -> None:
    """Ask for the code of a room, or start one, if this visitor may.

    Args:
        typed: The code in the address, or an empty text.
        error: Why the code is refused.
    """
    st.title("Join a room", anchor=False)
    above = st.container()
    if box() and typed:
        with above:
            panels.show_error(error)
    _led()
    if not visitors.may_lead():
        return
    st.header("Or lead one", anchor=False)
    lessons = shelf.lessons()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Lesson", list(lessons), format_func=_titled, key="room.lesson", width=420)
        _start_button("Start", lessons[name])


def _led() -> None:
    """List the rooms that the visitor leads: whoever has lost the tab of one finds it here."""
    try:
        led = rooms().led(visitors.digest())
    except StoreError as error:
        panels.show_error(error)
        return
    if not led:
        return
    st.header("Rooms that you lead", anchor=False)
    with st.container(gap="xsmall", key="lesson-led"):
        for room in led:
            label = f"`{room.code}` {literal(_titled(room.lesson))} · {counted(room.people, 'participant')}"
            st.page_link(shelf.PAGE, label=label, query_params={ROOM: room.code}, width="content")


def _titled(name: str) -> str:
    lesson = shelf.lessons().get(name)
    return name if lesson is None else lesson.title


def _start_button(label: str, lesson: Lesson) -> None:
    if st.button(label, key="room.start", icon=":material/groups:", help="Others predict on their phones."):
        try:
            most = MOST_ROOMS if visitors.has_owners() else MOST_OF_ONE
            room, secret = rooms().start(lesson.name, visitors.digest(), most)
        except (RoomRefused, StoreError) as error:
            panels.show_error(error)
            return
        invitation.keep(room.code, secret)
        st.switch_page(shelf.PAGE, query_params={ROOM: room.code})


def box() -> bool:
    """Offer a box for a code; return False if it was sent empty, which takes the place of an earlier refusal."""
    with st.form("room-code", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(
            "Code of a room", max_chars=20, key="room.code", placeholder=f"such as {EXAMPLE}", width=220
        )
        sent = st.form_submit_button("Go to the room", icon=":material/meeting_room:")
    if not sent:
        return True
    if typed.strip():
        st.switch_page(shelf.PAGE, query_params={ROOM: typed.strip()})
    if ROOM in st.query_params:
        st.query_params[ROOM] = ""
    st.info(f"Type the code first: {LENGTH} letters and digits, such as {EXAMPLE}.", icon=":material/edit:")
    return False


def join(room: Room, lesson: Lesson) -> None:
    """Let a visitor join, with a nickname or without."""
    st.title(literal(lesson.title), anchor=False)
    with st.container(key="lesson"):
        st.markdown(f"You are invited to the room `{room.code}`. {literal(lesson.question)}")
        st.text_input(
            "Nickname, or leave it empty", max_chars=LONGEST, key="room.nickname", placeholder="without a name"
        )
        st.button("Join", key="room.join", type="primary", icon=":material/login:", on_click=_join, args=(room.code,))
        panels.note(
            f"What you predict stays on this server, beside your nickname, until the room is deleted: after "
            f"{DAYS} days at the latest. The others see predictions without names; facilitators see both."
            + _opened("Facilitators")
        )


def lead(room: Room, lesson: Lesson, secret: str) -> None:
    """Ask a visitor with the secret link of a room whether they want to lead it."""
    st.title(literal(lesson.title), anchor=False)
    with st.container(key="lesson"):
        st.markdown(f"This link makes you a facilitator of the room `{room.code}`. {literal(lesson.question)}")
        admit = partial(panels.act, rooms().admit, room.code, secret, visitors.digest())
        st.button("Lead the room", key="room.lead", type="primary", icon=":material/key:", on_click=admit)
        panels.note(
            f"What you have predicted in it is dropped.{_opened('Everybody in the room')} Press nothing if you do not "
            "know who sent this link."
        )


def _opened(readers: str) -> str:
    """Return who can open the uploads of people in a room; empty on a server with owners, where nobody else can."""
    return "" if visitors.has_owners() else f" {readers} can open what you upload from then on."


def _join(code: str) -> None:
    panels.act(rooms().join, code, visitors.digest(), st.session_state.get("room.nickname", ""))
