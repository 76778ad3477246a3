"""What a screen updates by itself: the step of the room, the time left, how many predicted, and their dots."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypedDict

import streamlit as st

from core.errors import RoomRefused, StoreError
from core.statistics.wording.naming import counted
from dashboard.kit import address
from dashboard.kit.words import literal
from dashboard.room import following
from dashboard.room.rooms_file import Standing
from dashboard.topics.lessons import evidence, reveal
from dashboard.topics.lessons.room import chart, together
from dashboard.topics.lessons.room.view import RoomView, rooms

_ASSETS = Path(__file__).resolve().parents[3] / "assets"
Detail = Literal["everything", "counts", "nothing"]
"""What a screen shows of the progress: counts with the names of who has not predicted, counts alone, or nothing."""
_KNOWN: dict[Detail, int] = {"everything": 4, "counts": 3, "nothing": 1}
"""Number of fields of a room's state that each level of detail uses."""
_TICK = 1.0
"""Seconds between two drawings while a timer counts down, or runs go on that the file of rooms knows nothing of."""
_MOST_NAMES = 12


class Pace(TypedDict):
    """How often a screen looks, in milliseconds.

    Attributes:
        looks: Time between two looks at the standing of the room. They cost the server next to nothing.
        draws: Least time between two drawings where only counts have changed.
    """

    looks: int
    draws: int


OF_ONE, OF_ALL = Pace(looks=1000, draws=3000), Pace(looks=250, draws=0)
"""A participant's own screen, of which there are many; the screens of who leads and for all, of which there are few."""

_follow = st.components.v2.component(
    "telltale.following", html="<span></span>", js=(_ASSETS / "following.js").read_text("utf-8")
)


def follow(view: RoomView, detail: Detail = "counts", pace: Pace = OF_ONE) -> None:
    """Draw the page anew once the room has moved on; show the progress meanwhile."""
    was_closed = view.stage.is_closed(time.time())
    counts_down = view.stage.ends is not None and not was_closed
    seconds = _TICK if counts_down or view.pooled is not None else None
    st.fragment(_draw, run_every=seconds)(view, was_closed, detail, pace)


def _draw(view: RoomView, was_closed: bool, detail: Detail, pace: Pace) -> None:
    with suppress(RoomRefused, StoreError):  # the next look asks again
        standing = Standing()
        try:
            standing = rooms().standing(view.room.code, view.number)
        finally:
            _look(view, standing, detail, pace)
        if standing.revision != view.room.revision or view.stage.is_closed(time.time()) != was_closed:
            st.rerun(scope="app")
        if detail != "nothing":
            try:
                is_named = detail == "everything" and not view.stage.is_revealed
                _going_on(view, standing.people, standing.votes, is_named=is_named)
            except evidence.Missing as missing:
                reveal.missing_result(missing)


def _look(view: RoomView, standing: Standing, detail: Detail, pace: Pace) -> None:
    """Let the browser look whether the room still stands where this drawing shows it."""
    data = {
        "path": address.base() + following.path(view.room.code, view.number),
        "seen": following.written(standing).split()[: _KNOWN[detail]],
        **pace,
    }
    _follow(data=data, key="following", on_moved_change=lambda: None)


def _going_on(view: RoomView, people: int, votes: int, *, is_named: bool) -> None:
    if view.pooled is not None:
        together.going_on(view, view.pooled, votes, people)
        return
    if view.step is None:
        st.markdown(f"**{counted(people, 'participant')}** here." if people else "Nobody has joined yet.")
        return
    stage, now = view.stage, time.time()
    text = f"**{votes} of {people}** have predicted."
    if not stage.is_closed(now) and stage.ends is not None:
        left = max(round(stage.ends - now), 0)
        text += f" :material/timer: **{left // 60}:{left % 60:02d}** left."
    st.markdown(text)
    if is_named:
        _stuck(view)
    if stage.is_shown and not stage.is_revealed:
        chart.show(view.step.prediction, view.predictions(votes), view.own_prediction, view.widgets, is_shown=False)


def _stuck(view: RoomView) -> None:
    """Name who has not predicted, and whose screen shows another step."""
    voted = {vote.visitor for vote in rooms().votes(view.room.code) if vote.step == view.number}
    missing = [
        person
        for person in rooms().people(view.room.code)
        if person.role == "participant" and person.visitor not in voted
    ]
    for label, nicknames in (
        ("Still thinking", [person.nickname for person in missing if person.step == view.number]),
        ("Elsewhere", [person.nickname for person in missing if person.step != view.number]),
    ):
        if nicknames:
            st.caption(literal(f"{label}: {_listed(nicknames)}."))


def _listed(nicknames: list[str]) -> str:
    """Return nicknames, and how many have none.

    >>> _listed(["Ann", "", "Bob", ""])
    'Ann, Bob, 2 without a name'
    """
    names = [name for name in nicknames if name]
    parts = names[:_MOST_NAMES]
    if len(names) > _MOST_NAMES:
        parts.append(f"{len(names) - _MOST_NAMES} more")
    if nameless := len(nicknames) - len(names):
        parts.append(f"{nameless} without a name")
    return ", ".join(parts)
