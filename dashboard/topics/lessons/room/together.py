"""The experiment that a room runs together, on the screens of participants and facilitators and the large screen."""

import time
from functools import partial

import streamlit as st

from core.statistics.wording.naming import counted
from dashboard.kit import panels
from dashboard.topics.lessons import reveal
from dashboard.topics.lessons.lesson import Pooled
from dashboard.topics.lessons.pooled import runs, section
from dashboard.topics.lessons.room.view import RoomView, rooms


def going_on(view: RoomView, pooled: Pooled, votes: int, people: int) -> None:
    """Draw the dots so far and the state of the runs; called anew once a second."""
    st.markdown(f"Started by {votes} of {counted(people, 'person', 'people')}.")
    own_seeds = [] if view.seed is None else [view.seed]
    standing = section.show(pooled, view.seeds(votes), own_seeds, view.widgets, votes)
    if view.seed is not None:
        section.own_run(pooled, view.seed, standing, "Start my run again", "room.again")


def participant(view: RoomView, pooled: Pooled) -> None:
    """Describe the experiment, and let a participant start a run of their own."""
    reveal.text(pooled.situation)
    if view.seed is not None:
        return
    if view.stage.is_closed(time.time()):
        st.info("The experiment is closed, and you have not started a run.", icon=":material/lock:")
        return
    begin = partial(panels.act, _start, view, pooled)
    section.start(pooled, f"{view.widgets}.seed", "Start my run", "room.run", begin)


def explained(view: RoomView, pooled: Pooled) -> None:
    """Explain the spread, once the experiment is closed."""
    if view.stage.is_closed(time.time()):
        st.subheader("Why", anchor=False)
        reveal.text(pooled.why)


def _start(view: RoomView, pooled: Pooled) -> None:
    """Store the seed of a participant, then queue their run: a refused run can be started again."""
    seed = int(st.session_state[f"{view.widgets}.seed"])
    stored = rooms().vote(view.room.code, view.number, view.person.visitor, str(seed))
    runs.ask(pooled, int(str(stored)))
