"""What a screen updates by itself: the step of the room, the time left, how many predicted, and their dots."""

import time
from contextlib import suppress
from typing import Literal

import streamlit as st

from core.errors import RoomRefused, StoreError
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import literal
from dashboard.topics.lessons import evidence, reveal
from dashboard.topics.lessons.room import chart, together
from dashboard.topics.lessons.room.view import RoomView, rooms

Detail = Literal["everything", "counts", "nothing"]
"""What a screen shows of the progress: counts with the names of who has not predicted, counts alone, or nothing."""
_SECONDS, _SECONDS_OF_LEADER = 1.0, 0.5
_MOST_NAMES = 12


def follow(view: RoomView, detail: Detail = "counts") -> None:
    """Draw the page anew once the room has moved on; show the progress meanwhile."""
    seconds = _SECONDS_OF_LEADER if view.person.role == "facilitator" else _SECONDS
    st.fragment(_draw, run_every=seconds)(view, view.stage.is_closed(time.time()), detail)


def _draw(view: RoomView, was_closed: bool, detail: Detail) -> None:
    with suppress(RoomRefused, StoreError):  # the next second asks again
        revision, people, votes = rooms().standing(view.room.code, view.number)
        if revision != view.room.revision or view.stage.is_closed(time.time()) != was_closed:
            st.rerun(scope="app")
        if detail != "nothing":
            try:
                _going_on(view, people, votes, is_named=detail == "everything" and not view.stage.is_revealed)
            except evidence.Missing as missing:
                reveal.missing_result(missing)


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
