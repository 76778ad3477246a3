"""How a run stands on a page: the button that starts it, its progress, and what to do when it failed."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import InvalidSpec, StoreError
from core.experiment import Experiment
from core.jobs import Job, Jobs
from core.result import Estimate, Result
from core.runtime.store import MANIFEST, Store
from dashboard import allowed
from dashboard.words import duration, literal

if TYPE_CHECKING:
    import plotly.graph_objects as go

LiveChart = Callable[[list[dict[str, Any]]], "go.Figure"]
_SECONDS = 1.0


def stored(key: str) -> Result | None:
    """Return a stored result, read once for all sessions, or None.

    Raises:
        StoreError: It is there and cannot be read.
    """
    store = Store()
    stamps = _stamps(store, key)
    return _loaded(store.root, store.shipped, key, stamps) if any(stamps) else None


def figures(key: str) -> dict[str, Estimate]:
    """Return the estimates of a stored result without reading its tables; none where there is no result.

    Raises:
        StoreError: It is damaged and cannot be set aside.
    """
    store = Store()
    stamps = _stamps(store, key)
    return _estimates(store.root, store.shipped, key, stamps) if any(stamps) else {}


def panel(experiment: Experiment, live_chart: LiveChart | None = None) -> None:
    """Show how the run of an experiment without a result stands, or the way to start it."""
    jobs, key = Jobs(Store()), experiment.key
    job = None
    try:
        job = jobs.find(key)
    except StoreError as error:
        st.warning(literal(str(error)), icon=":material/info:")
    if job is None:
        say_what_was_lost(jobs)
    with st.container(border=True, key="run"):
        if job is not None and job.active:
            _progress(key, live_chart)
        elif st.button(_explained(job), type="primary", icon=":material/play_arrow:", key="run.start"):
            _ask(jobs, experiment, key)


def say_what_was_lost(jobs: Jobs) -> None:
    """Say that the queue was damaged, for as long as people may wonder where their runs are."""
    if (folder := jobs.lost()) is not None:
        st.warning(
            literal(
                f"The queue of runs was damaged and is set aside in {folder}. Results are kept. Ask again for what "
                "was waiting or running: it resumes."
            ),
            icon=":material/info:",
        )


def standing(job: Job) -> str:
    """Return what a job is doing, how far it is and how long it will take, as one line."""
    if job.state == "queued":
        before = job.position - 1
        return "Next in the queue" if before <= 0 else f"In the queue, {before} before it"
    line = job.stage or "Starting"
    if job.total:
        line += f": {job.done:,} of {job.total:,}"
    if job.seconds_left is not None and job.done < job.total:
        line += f", about {duration(job.seconds_left)} left"
    return line


def share_done(job: Job) -> float:
    """Return how much of the present stage is done, between 0 and 1."""
    return min(max(job.done / job.total, 0.0), 1.0) if job.total else 0.0


def _ask(jobs: Jobs, experiment: Experiment, key: str) -> None:
    try:
        allowed.check(experiment, jobs.store)
        jobs.ask(experiment.as_dict(), key)
    except (InvalidSpec, StoreError) as error:
        st.error(literal(str(error)), icon=":material/error:")
    else:
        st.rerun()


def _explained(job: Job | None) -> str:
    if job is not None and job.state == "failed":
        st.error(literal(job.message or "The run failed without a word."), icon=":material/error:")
        st.markdown("Change what the message names, or run it again. What had finished is kept.")
        return "Run again"
    if job is not None and job.state == "cancelled":
        st.markdown(
            f"This run was cancelled{_reached(job)}. What had finished is kept; running again goes on from there."
        )
        return "Run again"
    st.markdown(
        "Nobody has run exactly this experiment here yet. The run is a process of its own: "
        "you may close the page, and the same link finds it again."
    )
    return "Run"


def _reached(job: Job) -> str:
    return literal(f" at {job.done:,} of {job.total:,} ({job.stage.lower()})") if job.total else ""


@st.fragment(run_every=_SECONDS)
def _progress(key: str, live_chart: LiveChart | None) -> None:
    jobs = Jobs(Store())
    try:
        jobs.tend()
        job = jobs.find(key)
    except StoreError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return
    if job is None or not job.active:
        st.rerun(scope="app")
    st.progress(share_done(job), text=f"**{literal(standing(job))}**")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        since = "" if job.started is None else f"Running for {duration(time.time() - job.started)}. "
        st.caption(f"{since}You may close the page; the same link finds the run again.", width="content")
        if st.button("Cancel", icon=":material/stop:", key="run.cancel"):
            try:
                jobs.cancel(key)
            except StoreError as error:
                st.warning(literal(str(error)), icon=":material/info:")
            else:
                st.rerun(scope="app")
    if live_chart is not None and job.curve:
        st.plotly_chart(live_chart(job.curve), key="run.curve", config={"displayModeBar": False})
    elif live_chart is not None:
        st.caption("A curve appears with the first figure that is ready, and grows with every further one.")


@st.cache_resource(max_entries=64, show_spinner=False)
def _loaded(root: Path, shipped: Path, key: str, stamps: tuple[int, ...]) -> Result | None:
    return Result.load(Store(root, shipped), key)


@st.cache_resource(max_entries=256, show_spinner=False)
def _estimates(root: Path, shipped: Path, key: str, stamps: tuple[int, ...]) -> dict[str, Estimate]:
    files = Store(root, shipped).get_files(key) or {}
    try:
        summary = json.loads(files["result.json"])
        return {name: Estimate.model_validate(value) for name, value in summary["estimates"].items()}
    except (KeyError, ValueError):
        return {}


def _stamps(store: Store, key: str) -> tuple[int, ...]:
    """Return when the result was written, in each place where it may lie."""
    return tuple(_stamp(base / key / MANIFEST) for base in (store.shipped, store.root / "results"))


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
