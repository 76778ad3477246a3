"""The experiment that a room runs together, as a participant, who leads it, and the large screen see it."""

import time

import streamlit as st

from dashboard.kit.words import literal
from dashboard.topics.lessons import reveal
from dashboard.topics.lessons.lesson import Pooled
from dashboard.topics.lessons.pooled import runs, section
from dashboard.topics.lessons.room.place import Place, act, rooms, visitor


def going_on(place: Place, pooled: Pooled, votes: int, people: int) -> None:
    """Draw the dots so far, and where runs stand; the place is drawn again as often as a screen asks."""
    st.markdown(literal(f"{votes} of {people} people have started a run."))
    own = [] if place.seed is None else [place.seed]
    standing = section.show(pooled, place.seeds(votes), own, place.widgets, votes)
    if place.seed is not None and section.own_run(pooled, place.seed, standing):
        st.button("Start my run again", key="room.again", on_click=act, args=(runs.ask, pooled, place.seed))


def participant(place: Place, pooled: Pooled) -> None:
    """Say what is run, and let a participant start a run of their own."""
    reveal.text(pooled.situation)
    is_closed = place.stage.is_closed(time.time())
    if place.seed is not None:
        return
    if is_closed:
        st.info("The experiment is closed, and no run of yours came before.", icon=":material/lock:")
        return
    section.seed_box(pooled, visitor(), f"{place.widgets}.seed")
    st.button(
        "Start my run",
        key="room.run",
        on_click=act,
        args=(_start, place, pooled),
        type="primary",
        icon=":material/play_arrow:",
    )


def explained(place: Place, pooled: Pooled) -> None:
    """Say what the spread means, once the experiment is closed."""
    if place.stage.is_closed(time.time()):
        st.subheader("Why", anchor=False)
        reveal.text(pooled.why)


def _start(place: Place, pooled: Pooled) -> None:
    """Keep the seed of a participant, then queue their run: a refused run can be asked for again."""
    seed = int(st.session_state[f"{place.widgets}.seed"])
    kept = rooms().vote(place.room.code, place.number, place.person.visitor, str(seed))
    runs.ask(pooled, int(str(kept)))
