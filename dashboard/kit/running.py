"""A run on a page: the button that starts it, its progress, and the remedy when it failed."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.errors import InvalidSpec, StoreError, TooManyRuns
from core.experiment import Experiment
from core.jobs import Job, Jobs, State
from core.runtime.store import Store
from dashboard.kit import folders, stored_results, visitors
from dashboard.kit.browser import scheme
from dashboard.kit.forms import fields, form, marks, needed, own_documents
from dashboard.kit.inputs import allowed, declared
from dashboard.kit.words import curled, duration, literal, uncapitalised

LiveChart = Callable[[list[dict[str, Any]], Experiment], go.Figure]
"""Draws the points so far of an experiment's run."""

_NOT_YOURS = "Only the person who started this run, their facilitator and the owners of this server can cancel it."
_WANTED = "run/wanted"
_WAVERING = 3.0
"""Seconds by which an estimate may rise without being set anew."""
_SOON = 5.0
"""Fewer seconds are not said of a run that waits: the last ones of the run before it are not known so well."""
_SECONDS = 1.0
_IDLE_SECONDS = 2.0


def with_a_new_seed(experiment: Experiment) -> Experiment:
    """Return the experiment with the next seed whose result is not stored, so that it is really run."""
    store = Store()
    others = (experiment.replace(seed=seed % 2**31) for seed in count(experiment.seed + 1))
    return next(other for other in others if not store.has_result(other.key))


def want(experiment: Experiment) -> None:
    """Start the run of an experiment as soon as its page is drawn, unless its result is stored."""
    if stored_results.readable(experiment.key) is None:
        st.session_state[_WANTED] = experiment.key


def found(key: str) -> Job | None:
    """Return the run of an experiment, or None where there is none, or the queue cannot be read."""
    with suppress(StoreError):
        return Jobs(Store()).find(key)
    return None


def panel(
    experiment: Experiment, live_chart: LiveChart | None = None, name: str = "run", *, announced: bool = False
) -> None:
    """Show the run of an experiment without a result, or the button that starts it.

    Args:
        experiment: The experiment.
        live_chart: Draws the points so far of its run.
        name: Tells the panels of a page apart.
        announced: Whether the page has said how long it takes.
    """
    jobs, key = Jobs(Store()), experiment.key
    wanted, job = st.session_state.pop(_WANTED, "") == key, None
    try:
        job = jobs.find(key)
    except StoreError as error:
        st.warning(literal(str(error)), icon=":material/info:")
    if job is None:
        warn_of_lost_queue(jobs)
    with st.container(border=True, key=name):
        if job is not None and job.active:
            _progress(experiment, live_chart, name, job.state)
        else:
            label = _explained(experiment, job)
            possible = needed.show(experiment) and _is_large_enough(experiment, name) and may_start(experiment)
            if possible:
                needed.tell_duration(experiment, announced=announced)
            clicked = st.button(
                label, type="primary", icon=":material/play_arrow:", key=f"{name}.start", disabled=not possible
            )
            if (wanted and possible) or clicked:
                start(experiment)
            _notice(key)


def warn_of_lost_queue(jobs: Jobs) -> None:
    """Warn that the queue was damaged, as long as people may look for their runs."""
    if (folder := jobs.lost()) is not None:
        text = f"The queue was damaged and moved to {folder}. Results are kept; start lost runs again to resume them."
        st.warning(literal(text), icon=":material/info:")


def standing(job: Job) -> str:
    """Return the stage of a job, its progress and the time left as one line."""
    if job.state == "queued":
        return _waiting(job)
    line = job.stage or "Starting"
    if job.total:
        line += f": {job.done:,} of {job.total:,}"
    if job.whole:
        line += f", {round(100 * job.share)}% of the run"
    return line + _left(job)


def steady(job: Job) -> Job:
    """Return a job as this session follows it: no time that is left rises by the little that estimates waver."""
    left, wait = _steady(f"run/left/{job.key}", job.seconds_left), _steady(f"run/wait/{job.key}", job.wait)
    return replace(job, seconds_left=left, wait=wait)


def _steady(key: str, seconds: float | None) -> float | None:
    displayed: float | None = st.session_state.get(key)
    wavers = (
        displayed is not None
        and seconds is not None
        and displayed < seconds <= displayed + max(_WAVERING, displayed / 4)
    )
    st.session_state[key] = displayed if wavers else seconds
    return displayed if wavers else seconds


def cancel_button(job: Job, key: str, **options: Any) -> bool:
    """Draw the button that cancels a run, and tell whether it was pressed; that of another visitor asks first.

    Args:
        job: The run.
        key: Key of the button.
        **options: Go to `st.button`.
    """
    visitor, icon = visitors.current(), ":material/stop:"
    if not visitor.may_change(job):
        st.button("Cancel", icon=icon, key=key, disabled=True, help=_NOT_YOURS)
        return False
    if visitor.owns(job):
        return st.button("Cancel", icon=icon, key=key, **options)
    with st.popover("Cancel", icon=icon, key=f"{key}.asked"):
        st.markdown("Another visitor started this run and may be waiting for its result. Finished parts are kept.")
        return st.button("Cancel another visitor’s run", key=key, type="primary", **options)


def _waiting(job: Job) -> str:
    before = job.position - 1
    line = "Next in the queue" if before <= 0 else f"Queued behind {before}"
    if job.wait is None:
        return line
    why = " (a run before it takes longer than expected)" if job.late else ""
    if job.wait < _SOON:
        return f"{line}, starts once the run before it ends{why}" if job.wait else f"{line}, starts now"
    return f"{line}, starts in about {duration(job.wait)}{why}"


def _left(job: Job) -> str:
    if job.total and job.done >= job.total and not job.whole:
        return ""
    if job.seconds_left is None:
        return ", too early to say how long" if job.stage else ""
    if job.seconds_left < 1 and job.late:
        return ", longer than expected"
    if job.seconds_left < 1:
        return ", nearly finished" if job.whole and job.done + 1 >= job.total else ""
    scope = "" if job.whole else " in this stage"
    return f", about {duration(job.seconds_left)} left{scope}{' (longer than expected)' if job.late else ''}"


def ask(experiment: Experiment) -> None:
    """Queue a run for the visitor; a run that is already queued or running is not repeated.

    Raises:
        InvalidSpec: The visitor may not run it.
        StoreError: The queue cannot be used.
        TooManyRuns: It is beyond what the visitor may ask for.
    """
    jobs = Jobs(Store())
    allowed.check(experiment, jobs.store)
    if reason := needed.refusal(experiment):
        raise TooManyRuns(reason)
    visitor, expected = visitors.current(), needed.expected_seconds(experiment)
    jobs.ask(experiment.as_dict(), experiment.key, visitor.ids[0], visitor.limits(), expected)


def may_start(*experiments: Experiment) -> bool:
    """Tell whether results can be stored, and the visitor may start runs as long as these; where not, say why."""
    if refusal := folders.refusal_to_write():
        st.warning(literal(f"Nothing can run, because nothing can be stored. {refusal}"), icon=":material/folder_off:")
        return False
    reason = next(filter(None, map(needed.refusal, experiments)), "")
    if reason:
        st.warning(literal(reason), icon=":material/timer:")
    return not reason


def start(*experiments: Experiment) -> None:
    """Queue runs for the visitor and draw the page anew, or show why they are refused."""
    try:
        for experiment in experiments:
            ask(experiment)
    except (InvalidSpec, StoreError, TooManyRuns) as error:
        st.error(literal(str(error)), icon=":material/error:")
    else:
        st.rerun()


def _explained(experiment: Experiment, job: Job | None) -> str:
    if job is not None and job.state == "failed":
        message = curled(job.message or "The run failed without an error message.")
        st.error(literal(message), icon=":material/error:")
        named = declared.named(experiment, job.message or "")
        marks.mark(experiment, dict.fromkeys(named, message))
        what = f"{declared.places(named)} in the settings ({form.WHERE})" if named else "the settings"
        st.markdown(f"Change {what}, or run it again. Finished parts are kept.")
        return "Run again"
    if job is not None and job.state == "cancelled":
        st.markdown(f"This run was cancelled{_reached(job)}. Finished parts are kept; a new run resumes from them.")
        return "Run again"
    st.markdown("Not computed yet. You may close the page during the run; the same link opens it again.")
    return "Run"


def _is_large_enough(experiment: Experiment, name: str) -> bool:
    """Tell whether the visitor's documents suffice; where they do not, say why and offer settings that fit."""
    fit = own_documents.fit(experiment)
    if not fit.reason:
        return True
    named = declared.named(experiment, declared.listed(experiment, fit.changes) or fit.reason)
    where = f": {declared.places(named)} ({form.WHERE})" if named else ""
    st.warning(f"{literal(f'This cannot run. {fit.reason}')} Change the settings{where}.", icon=":material/edit:")
    if fit.changes:
        label, given = "Use settings that fit these documents", (experiment, fit.changes)
        st.button(label, icon=":material/tune:", key=f"{name}.fit", on_click=fields.change, args=given)
        st.caption(literal(f"It sets {declared.listed(experiment, fit.changes)}."))
    return False


def _reached(job: Job) -> str:
    return f" {literal(f'at {job.done:,} of {job.total:,} ({uncapitalised(job.stage)})')}" if job.total else ""


@st.fragment(run_every=_IDLE_SECONDS)
def _notice(key: str) -> None:
    """Draw the page anew once another session has started this run, or the run has finished."""
    with suppress(StoreError):
        job = Jobs(Store()).find(key)
        if (job is not None and job.active) or stored_results.readable(key) is not None:
            st.rerun(scope="app")


@st.fragment(run_every=_SECONDS)
def _progress(experiment: Experiment, live_chart: LiveChart | None, name: str, state: State) -> None:
    """Follow a run; once it has a result, or another state than the page was drawn for, draw the page anew."""
    jobs, key = Jobs(Store()), experiment.key
    try:
        jobs.tend()
        job = jobs.find(key)
    except StoreError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return
    if job is None or job.state != state or stored_results.readable(key) is not None:
        st.rerun(scope="app")
    st.progress(job.share, text=f"**{literal(standing(steady(job)))}**")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        since = "" if job.started is None else f"Running for {duration(time.time() - job.started)}. "
        whose = "" if visitors.current().owns(job) else "Another visitor started it. "
        st.caption(f"{since}{whose}You may close the page; the same link opens the run again.", width="content")
        if cancel_button(job, f"{name}.cancel"):
            try:
                jobs.cancel(key)
            except StoreError as error:
                st.warning(literal(str(error)), icon=":material/info:")
            else:
                st.rerun(scope="app")
    if live_chart is not None and job.curve:
        curve = live_chart(job.curve, experiment)
        scheme.draw(curve, key=f"{name}.curve", config={"displayModeBar": False})
    elif live_chart is not None:
        st.caption("A curve appears with the first estimate and grows with each further one.")
