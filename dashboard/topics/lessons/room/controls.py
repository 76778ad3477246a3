"""The controls of who leads a room: steps, lock, reveal, timer, show; and what the room allows, exports and ends."""

import time
from dataclasses import replace

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.figures import tables
from dashboard.room.rooms import MOST_RUNS
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.room import export, invitation
from dashboard.topics.lessons.room.place import Place, act, rooms

_TIMES = {30: "30 s", 60: "1 min", 120: "2 min", 300: "5 min"}


def show(place: Place) -> None:
    """Draw the buttons of a step, or of the room's experiment, in the order in which they are pressed."""
    number, last = place.number, place.lesson.last
    with st.container(horizontal=True, key="room-controls"):
        if number:
            _button("Back", "arrow_back", go, place, number - 1)
        if place.step is not None:
            _stage_buttons(place)
        elif place.pooled is not None:
            _opening(place)
        if number <= last:
            label = "Begin" if not number else "Next step" if number < last else "Sheets"
            _button(label, "arrow_forward", go, place, number + 1, primary=not number or place.stage.is_revealed)


def more(place: Place) -> None:
    """Draw what is needed once or rarely: what the room allows, its answers, its links, and its end."""
    code, me = place.room.code, place.person.visitor
    with st.container(horizontal=True, key="room-more"):
        if place.number:
            with st.popover("Invite", icon=":material/qr_code_2:", key="room.invite"):
                invitation.show(place.room)
        with st.popover("Rules", icon=":material/tune:", key="room.rules"):
            st.toggle(
                "Participants may run ahead", place.room.ahead, key="room.ahead", on_change=_rules, args=(code, me)
            )
            st.number_input(
                "Runs that each may have waiting",
                1,
                MOST_RUNS,
                place.room.runs,
                key="room.runs",
                on_change=_rules,
                args=(code, me),
            )
        with st.popover("Second facilitator", icon=":material/key:", key="room.key"):
            st.markdown("Whoever opens this link may lead the room, too. A new one ends the one before.")
            if link := invitation.secret_link(place.room):
                st.code(link, language=None, wrap_lines=True)
            st.button("Make a new link", key="room.renew", on_click=act, args=(_renew, code, me))
        st.download_button(
            "Answers as CSV",
            lambda: tables.csv(export.table(code, place.lesson)),
            f"room-{code}.csv",
            "text/csv",
            key="room.csv",
            on_click="ignore",
            icon=":material/download:",
        )
        with st.popover("Delete", icon=":material/delete:", key="room.delete"):
            st.markdown("This deletes the room with its predictions and nicknames, for everybody.")
            if st.button("Delete room", key="room.really", type="primary"):
                act(rooms().delete, code, me)
                st.switch_page(shelf.PAGE, query_params={"lesson": place.lesson.name})
    panels.note(f"Room {code}, lesson “{place.lesson.title}”.")


def go(place: Place, step: int) -> None:
    """Open a step for everybody."""
    rooms().go(place.room.code, place.person.visitor, step)


def set_stage(place: Place, **changes: object) -> None:
    """Change where the step of a room stands."""
    code, me = place.room.code, place.person.visitor
    rooms().set_stage(code, me, place.number, replace(rooms().stage(code, place.number), **changes))  # type: ignore[arg-type]


def _stage_buttons(place: Place) -> None:
    stage = place.stage
    if stage.is_revealed:
        return
    closed = stage.is_closed(time.time())
    if closed:
        _button("Open again", "lock_open", set_stage, place, is_locked=False, ends=None)
    else:
        _button("Lock", "lock", set_stage, place, is_locked=True)
        _timer(place)
    shown = "Hide predictions" if stage.is_shown else "Show predictions"
    _button(
        shown, "visibility_off" if stage.is_shown else "scatter_plot", set_stage, place, is_shown=not stage.is_shown
    )
    _button("Reveal", "visibility", set_stage, place, is_revealed=True, primary=True)


def _opening(place: Place) -> None:
    """Draw the buttons that close the experiment of the room, and open it again; what runs goes on."""
    if place.stage.is_closed(time.time()):
        _button("Open again", "lock_open", set_stage, place, is_locked=False, ends=None)
    else:
        _button("Close", "lock", set_stage, place, is_locked=True)


def _timer(place: Place) -> None:
    with st.popover("Timer", icon=":material/timer:", key="room.timer"):
        for seconds, label in _TIMES.items():
            st.button(label, key=f"room.timer.{seconds}", on_click=act, args=(_count_down, place, seconds))
        if place.stage.ends is not None:
            _button("Stop the timer", "timer_off", set_stage, place, ends=None)


def _count_down(place: Place, seconds: int) -> None:
    set_stage(place, ends=time.time() + seconds)


def _rules(code: str, visitor: str) -> None:
    state = st.session_state
    act(rooms().allow, code, visitor, ahead=bool(state["room.ahead"]), runs=int(state["room.runs"]))


def _renew(code: str, visitor: str) -> None:
    invitation.keep(code, rooms().renew(code, visitor))


def _button(
    label: str, icon: str, action: object, *arguments: object, primary: bool = False, **options: object
) -> None:
    """Draw a button that acts on the room."""
    st.button(
        label,
        key=f"room.{icon}",
        on_click=act,
        args=(action, *arguments),
        kwargs=options,
        icon=f":material/{icon}:",
        type="primary" if primary else "secondary",
    )
