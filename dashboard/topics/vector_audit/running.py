"""The runs of an audit: one button for all of them, and the progress of each."""

from collections.abc import Sequence

import streamlit as st

from core.audits.plan import Step
from core.errors import StoreError
from core.jobs import Jobs
from core.jobs.needs import needs
from core.runtime.store import Store
from core.statistics.wording.naming import counted
from dashboard.kit import running, stored_results
from dashboard.kit.forms import needed
from dashboard.kit.words import literal, uncapitalised

_SECONDS = 1.0


def panel(steps: Sequence[Step], keys: Sequence[str]) -> None:
    """Show the runs of the steps that have no result yet, or the button that starts them.

    Args:
        steps: The steps of an audit.
        keys: The key of each step's experiment.
    """
    missing = [(step, key) for step, key in zip(steps, keys, strict=True) if stored_results.readable(key) is None]
    if not missing:
        return
    running.warn_of_lost_queue(Jobs(Store()))
    with st.container(border=True, key="run"):
        jobs = [job for _, key in missing if (job := running.found(key)) is not None]
        if any(job.active for job in jobs):
            _progress(missing)
            return
        failed = [job for job in jobs if job.state == "failed"]
        for message in dict.fromkeys(job.message for job in failed):
            st.error(literal(message or "The run failed without an error message."), icon=":material/error:")
        if lacking := dict.fromkeys(need for step, _ in missing for need in needs(step.experiment)):
            st.warning(literal(f"Not on this machine: {needed.listed(lacking)}."), icon=":material/info:")
            return
        experiments = [step.experiment for step, _ in missing]
        needed.tell_duration(*experiments, announced=True)
        label, icon = f"Run the audit: {counted(len(missing), 'attack')}", ":material/play_arrow:"
        disabled = not running.may_start(*experiments)
        if st.button(label, type="primary", icon=icon, key="run.start", disabled=disabled):
            running.start(*experiments)


@st.fragment(run_every=_SECONDS)
def _progress(missing: Sequence[tuple[Step, str]]) -> None:
    """Draw the progress of the active runs; once one ends, the page is drawn anew."""
    jobs = Jobs(Store())
    try:
        jobs.tend()
        step_jobs = [(step, jobs.find(key)) for step, key in missing]
    except StoreError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return
    if not all(job is not None and job.active for _, job in step_jobs):
        st.rerun(scope="app")
    for step, job in step_jobs:
        if job is not None:
            against = step.title if step.name == "frontier" else uncapitalised(step.title.rstrip(","))
            title = f"{step.experiment.attack.title} ({against}): {running.standing(job)}"
            st.progress(job.share if job.state == "running" else 0.0, text=literal(title))
    st.caption("You may close the page during the runs; the same link opens it again.")
