"""What changes on a screen by itself: the room's next step, the time left, how many predicted, and their dots."""

import time
from contextlib import suppress
from typing import Literal

import streamlit as st

from core.errors import RoomRefused, StoreError
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import literal
from dashboard.topics.lessons.room import chart, together
from dashboard.topics.lessons.room.place import Place, rooms

Shown = Literal["everything", "counts", "nothing"]
"""What goes on in a room, as far as a screen shows it: with the names of who is stuck, without, or not at all."""
_SECONDS, _SECONDS_OF_LEADER = 1.0, 0.5
_NAMED = 12


def follow(place: Place, shown: Shown = "counts") -> None:
    """Draw the page anew once the room has moved on; show what goes on meanwhile."""
    seconds = _SECONDS_OF_LEADER if place.person.role == "facilitator" else _SECONDS
    st.fragment(_draw, run_every=seconds)(place, place.stage.is_closed(time.time()), shown)


def _draw(place: Place, was_closed: bool, shown: Shown) -> None:
    with suppress(RoomRefused, StoreError):  # it is asked again at once
        revision, people, votes = rooms().standing(place.room.code, place.number)
        if revision != place.room.revision or place.stage.is_closed(time.time()) != was_closed:
            st.rerun(scope="app")
        if shown != "nothing":
            _going_on(place, people, votes, is_named=shown == "everything" and not place.stage.is_revealed)


def _going_on(place: Place, people: int, votes: int, *, is_named: bool) -> None:
    if place.pooled is not None:
        together.going_on(place, place.pooled, votes, people)
        return
    if place.step is None:
        st.markdown(f"**{counted(people, 'participant')}** here." if people else "Nobody has joined yet.")
        return
    stage, now = place.stage, time.time()
    said = f"**{votes} of {people}** have predicted."
    if not stage.is_closed(now) and stage.ends is not None:
        left = max(round(stage.ends - now), 0)
        said += f" :material/timer: **{left // 60}:{left % 60:02d}** left."
    st.markdown(said)
    if is_named:
        _stuck(place)
    if stage.is_shown and not stage.is_revealed:
        chart.show(place.step.prediction, place.predictions(votes), place.own_here, place.widgets, is_shown=False)


def _stuck(place: Place) -> None:
    """Name who has not predicted, and whose screen shows another step."""
    voted = {vote.visitor for vote in rooms().votes(place.room.code) if vote.step == place.number}
    missing = [
        person
        for person in rooms().people(place.room.code)
        if person.role == "participant" and person.visitor not in voted
    ]
    for label, found in (
        ("Still thinking", [person.nickname for person in missing if person.step == place.number]),
        ("Elsewhere", [person.nickname for person in missing if person.step != place.number]),
    ):
        if found:
            st.caption(literal(f"{label}: {_listed(found)}."))


def _listed(nicknames: list[str]) -> str:
    """Return nicknames, and how many have none.

    >>> _listed(["Ann", "", "Bob", ""])
    'Ann, Bob, 2 without a name'
    """
    named = [name for name in nicknames if name]
    parts = named[:_NAMED]
    if len(named) > _NAMED:
        parts.append(f"{len(named) - _NAMED} more")
    if nameless := len(nicknames) - len(named):
        parts.append(f"{nameless} without a name")
    return ", ".join(parts)
