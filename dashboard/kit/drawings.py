"""Drawings of a result on its page: shown where they are stored, or else drawn by a run that the page follows."""

import pandas as pd
import streamlit as st

from core.errors import StoreError, TelltaleError, TooManyRuns
from core.experiment import Experiment
from core.jobs import Job, Jobs
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import folders, panels, running, stored_results, visitors
from dashboard.kit.words import curled, literal

_SECONDS = 1.0


def of(result: Result, experiment: Experiment, name: str, called: str, title: str = "") -> pd.DataFrame | None:
    """Return a drawing of a result; where it is missing, say what becomes of it, or offer to draw it.

    Args:
        result: The result; one of an earlier version holds the drawing among its tables.
        experiment: Its experiment.
        name: Name of the drawing.
        called: What sentences call it, without an article.
        title: Heading above what is said of it where it is missing; none when empty.
    """
    if (former := result.tables.get(name)) is not None:
        return former
    try:
        drawn = stored_results.drawing(experiment, name)
    except TelltaleError as error:
        panels.show_error(error)
        return None
    if drawn is None:
        if title:
            st.header(title, anchor=False)
        _missing(experiment, name, called)
    return drawn


def _missing(experiment: Experiment, name: str, called: str) -> None:
    key = experiment.key
    job, store = running.found(key), Store()
    if job is not None and job.active:
        _progress(experiment, name)
    elif not store.has_arrays(key, experiment.drawings[name].key(name, key)):
        st.info(literal(_lost(called, shipped=store.is_shipped(key))), icon=":material/info:")
    elif refusal := folders.refusal_to_write():
        st.warning(literal(f"The {called} cannot be drawn. {refusal}"), icon=":material/folder_off:")
    else:
        _offer(experiment, called, job)


def _offer(experiment: Experiment, called: str, job: Job | None) -> None:
    if job is not None and job.message:
        st.error(literal(curled(job.message)), icon=":material/error:")
    else:
        st.markdown(
            f"The {called} is not drawn yet. That takes seconds, the first time on a machine a minute or two; nothing "
            "is trained."
        )
    if not st.button(f"Draw the {called}", icon=":material/draw:", type="primary", key=f"draw {called}"):
        return
    visitor = visitors.current()
    try:
        Jobs(Store()).ask(experiment.as_dict(), experiment.key, visitor.ids[0], visitor.limits())
    except (StoreError, TooManyRuns) as error:
        st.error(literal(str(error)), icon=":material/error:")
    else:
        st.rerun(scope="app")


def _lost(called: str, *, shipped: bool) -> str:
    if shipped:
        return (
            f"The {called} that comes with this result is missing or damaged. Install Telltale again to have it back."
        )
    return (
        f"What the {called} is drawn from is not kept here any more. Delete this run on the page Runs, and run it "
        "again: its figures stay the same, and what is trained already is not trained again."
    )


@st.fragment(run_every=_SECONDS)
def _progress(experiment: Experiment, name: str) -> None:
    """Follow the run that draws; once it is over, or the drawing is there, draw the page anew."""
    try:
        jobs = Jobs(Store())
        jobs.tend()
        job, drawn = jobs.find(experiment.key), stored_results.drawing(experiment, name)
    except StoreError as error:
        panels.show_error(error)
        return
    if job is None or not job.active or drawn is not None:
        st.rerun(scope="app")
    st.progress(job.share, text=f"**{literal(running.standing(running.steady(job)))}**")
