"""The controls of a facilitator: steps, lock, timer, show and reveal; then rules, links, export and deletion."""

import time
from collections.abc import Callable
from typing import Unpack

import pandas as pd
import streamlit as st

from dashboard.kit import panels
from dashboard.kit.figures import tables
from dashboard.room.rooms import MOST_MINUTES, MOST_RUNS
from dashboard.room.rooms_file import StageChanges
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.lesson import Adversary, Lesson
from dashboard.topics.lessons.room import export, invitation
from dashboard.topics.lessons.room.view import RoomView, rooms

_TIMER = "room.timer"
_AHEAD, _RUNS, _MINUTES = "room.ahead", "room.runs", "room.minutes"
_TIMES = {30: "30 s", 60: "1 min", 120: "2 min", 300: "5 min"}


def show(view: RoomView) -> None:
    """Draw the buttons of a step, or of the room's experiment, in the order in which they are pressed."""
    number, last = view.number, view.lesson.last
    with st.container(horizontal=True, key="room-controls"):
        if number:
            _button("Back", "arrow_back", go, view, number - 1)
        if view.step is not None:
            _stage_buttons(view)
        elif view.pooled is not None:
            _closing(view, "Close")
        if number <= last:
            label = "Begin" if not number else "Next step" if number < last else "Sheets"
            _button(label, "arrow_forward", go, view, number + 1, primary=not number or view.stage.is_revealed)


def more(view: RoomView) -> None:
    """Draw what is needed once or rarely: invitation, rules, links, export and deletion."""
    code, visitor = view.room.code, view.person.visitor
    with st.container(horizontal=True, key="room-more"):
        if view.number:
            with st.popover("Invite", icon=":material/qr_code_2:", key="room.invite"):
                invitation.show(view.room)
        with st.popover("Rules", icon=":material/tune:", key="room.rules"):
            _rules(view)
        with st.popover("Second facilitator", icon=":material/key:", key="room.key"):
            if link := invitation.secret_link(view.room):
                st.markdown("Whoever opens this link may lead the room, too. A new link ends the one before.")
                st.code(link, language=None, wrap_lines=True)
            else:
                st.markdown("Make a link: whoever opens it may lead the room, too. It ends the one before.")
            st.button("Make a new link", key="room.renew", on_click=panels.act, args=(_renew, code, visitor))
        _download("Answers as CSV", export.table, f"room-{code}", view)
        _download("Counts as CSV", export.counts, f"room-{code}-counts", view)
        with st.popover("Delete", icon=":material/delete:", key="room.delete"):
            st.markdown("This deletes the room with its predictions and nicknames, for everybody.")
            if st.button("Delete room", key="room.really", type="primary"):
                panels.act(rooms().delete, code, visitor)
                st.switch_page(shelf.PAGE, query_params={"lesson": view.lesson.name})
    panels.note(f"Room {code}, lesson “{view.lesson.title}”.")


def go(view: RoomView, step: int) -> None:
    """Open a step for everybody."""
    rooms().go(view.room.code, view.person.visitor, step)


def change_stage(view: RoomView, **changes: Unpack[StageChanges]) -> None:
    """Change the state of the open step."""
    rooms().change_stage(view.room.code, view.person.visitor, view.number, **changes)


def _stage_buttons(view: RoomView) -> None:
    stage = view.stage
    if stage.is_revealed:
        _button("Hide answer", "visibility_off", change_stage, view, is_revealed=False, is_locked=True)
        return
    if _closing(view, "Lock"):
        _timer(view)
    if view.step is None or not isinstance(view.step.prediction, Adversary):  # of items, nothing is drawn before
        label, icon = ("Hide predictions", "visibility_off") if stage.is_shown else ("Show predictions", "scatter_plot")
        _button(label, icon, change_stage, view, is_shown=not stage.is_shown)
    _button("Reveal", "visibility", change_stage, view, is_revealed=True, primary=True)


def _closing(view: RoomView, label: str) -> bool:
    """Draw the button that closes a step or the room's experiment, or opens it again; return whether it is open."""
    is_open = not view.stage.is_closed(time.time())
    if is_open:
        _button(label, "lock", change_stage, view, is_locked=True)
    else:
        _button("Open again", "lock_open", change_stage, view, is_locked=False, ends=None)
    return is_open


def _timer(view: RoomView) -> None:
    with st.popover("Timer", icon=":material/timer:", key=_TIMER, on_change="rerun"):
        for seconds, label in _TIMES.items():
            st.button(label, key=f"room.timer.{seconds}", on_click=panels.act, args=(_count_down, view, seconds))
        if view.stage.ends is not None:
            _button("Stop the timer", "timer_off", change_stage, view, ends=None)


def _count_down(view: RoomView, seconds: int) -> None:
    """Start the timer, and close the box of its times: it would cover what all look at."""
    st.session_state[_TIMER] = False
    change_stage(view, ends=time.time() + seconds)


def _download(label: str, table: Callable[[str, Lesson], pd.DataFrame], name: str, view: RoomView) -> None:
    """Offer a table of the answers; it is made when the button is pressed."""
    st.download_button(
        label,
        lambda: tables.csv(table(view.room.code, view.lesson)),
        f"{name}.csv",
        "text/csv",
        key=f"room.{name}.csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _rules(view: RoomView) -> None:
    """Draw the rules as they are in the room now, whoever changed them."""
    _follow(_AHEAD, view.room.ahead)
    _follow(_RUNS, view.room.runs)
    _follow(_MINUTES, rooms().minutes(view.room.code))
    st.toggle("Participants may run ahead", key=_AHEAD, on_change=panels.act, args=(_allow_ahead, view))
    st.number_input(
        "Runs that each may have waiting", 1, MOST_RUNS, key=_RUNS, on_change=panels.act, args=(_allow_runs, view)
    )
    st.number_input(
        "Minutes that a run of theirs may take",
        1,
        MOST_MINUTES,
        key=_MINUTES,
        on_change=panels.act,
        args=(_allow_minutes, view),
        help="A run that is expected to take longer, or that nobody knows enough about, is left to who leads.",
    )


def _follow(key: str, value: int) -> None:
    """Fill a field with the room's value where that is new; what is being typed stays otherwise."""
    state, drawn = st.session_state, f"{key}/drawn"
    if key not in state or state.get(drawn) != value:
        state[key] = state[drawn] = value


def _entered(key: str) -> int:
    """Return what was entered; the field is filled anew, as the room may refuse it."""
    st.session_state.pop(f"{key}/drawn", None)
    return int(st.session_state[key])


def _allow_ahead(view: RoomView) -> None:
    rooms().allow_ahead(view.room.code, view.person.visitor, ahead=bool(_entered(_AHEAD)))


def _allow_runs(view: RoomView) -> None:
    rooms().allow_runs(view.room.code, view.person.visitor, _entered(_RUNS))


def _allow_minutes(view: RoomView) -> None:
    rooms().allow_minutes(view.room.code, view.person.visitor, _entered(_MINUTES))


def _renew(code: str, visitor: str) -> None:
    invitation.keep(code, rooms().renew(code, visitor))


def _button(
    label: str, icon: str, action: object, *arguments: object, primary: bool = False, **options: object
) -> None:
    st.button(
        label,
        key=f"room.{icon}",
        on_click=panels.act,
        args=(action, *arguments),
        kwargs=options,
        icon=f":material/{icon}:",
        type="primary" if primary else "secondary",
    )
