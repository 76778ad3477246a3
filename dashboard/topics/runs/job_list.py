"""The list of all runs: experiment, state and actions of each."""

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from core.attacks.own_text import OwnText
from core.audits import worded
from core.datasets.embeddings import Embeddings
from core.errors import StoreError, TelltaleError
from core.experiment import Experiment
from core.games.audit import Audit
from core.jobs import COMMAND_LINE, Job, Jobs, State
from core.report import answer
from core.runtime.store import Store
from core.statistics.wording.naming import capitalised
from dashboard import navigation
from dashboard.kit import links, own_text, panels, running, stored_results, visitors
from dashboard.kit.forms import own_documents, settings_in_words
from dashboard.kit.inputs import linked_result, typed
from dashboard.kit.words import duration, literal

_BADGES: dict[State, tuple[str, str]] = {
    "queued": (":material/hourglass_empty:", "gray"),
    "running": (":material/play_arrow:", "orange"),
    "done": (":material/check:", "green"),
    "failed": (":material/error:", "red"),
    "cancelled": (":material/stop:", "gray"),
}
_MOST = 50
_SECRET = secrets.token_bytes(16)
_EMPTY = (
    "No run yet. This page lists runs started here or on the command line with the same TELLTALE_HOME. "
    "Results that come with Telltale were computed before: the overview shows them."
)
_UNREADABLE = "It cannot be opened: this version of Telltale cannot read its settings."
_PRIVATE = "Another visitor typed or uploaded a part of it, and nobody else sees more of this run."


@st.fragment(run_every=2.0)
def listing() -> None:
    """Draw every run: those under way, those that wait in the order of the queue, then the latest that ended."""
    jobs = Jobs(Store())
    try:
        jobs.tend()
        runs = jobs.all()
    except StoreError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return
    running.warn_of_lost_queue(jobs)
    if not runs:
        st.info(_EMPTY, icon=":material/info:")
        st.page_link(navigation.declared()[0].path, label="To the results that are stored", icon=":material/bar_chart:")
        return
    states = [job.state for job in runs]
    st.markdown(", ".join(f"{states.count(state)} {state}" for state in _BADGES if state in states))
    for group in _groups(sorted(runs, key=_rank)[:_MOST]):
        if len(group) == 1:
            _row(group[0], jobs)
            continue
        with st.expander(_group_title(group), key=f"runs-{row_name(group[-1].key)}"):
            for job in group:
                _row(job, jobs)
    if len(runs) > _MOST:
        st.caption(
            f"The first {_MOST} of {len(runs)} runs: those under way, those that wait, and the latest that ended."
        )


def _groups(runs: Sequence[Job]) -> list[list[Job]]:
    """Return runs in their order, those that ended on the same stored vectors of one asker together: an audit has many.

    A group stands where its latest run does.
    """
    groups: dict[Any, list[Job]] = {}
    for job in runs:
        vectors = job.experiment.get("dataset", {}).get("part") == Embeddings.part_name()
        shared = (job.asker, json.dumps(job.experiment["dataset"], sort_keys=True)) if vectors else job.key
        groups.setdefault(job.key if job.active else shared, []).append(job)
    return list(groups.values())


def _group_title(group: Sequence[Job]) -> str:
    """Return how many runs a group has, on what, and what became of them."""
    experiment, _ = _parsed(group[0])
    mine = visitors.current().owns(group[0])
    on = own_documents.title(experiment.dataset) if mine and experiment is not None else Embeddings.title
    states = [job.state for job in group]
    ended = ", ".join(f"{states.count(state)} {state}" for state in _BADGES if state in states)
    return f"**{literal(f'{len(group)} runs on {on}')}**: {ended}"


def _rank(job: Job) -> tuple[int, int]:
    """Return where a run stands in the list, among runs of which the latest comes first."""
    return ("running", "queued").index(job.state) if job.active else 2, job.position


def _row(job: Job, jobs: Jobs) -> None:
    experiment, refusal = _parsed(job)
    visitor = visitors.current()
    local = job.asker == COMMAND_LINE
    mine = visitor.owns(job)
    with st.container(border=True, key=f"job-{row_name(job.key)}", gap="xsmall"):
        icon, colour = _BADGES[job.state]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(job.state.capitalize(), icon=icon, color=colour)  # type: ignore[arg-type]
            st.markdown(f"**{literal(_title(job, experiment))}**", width="content")
            if local:
                st.badge("Command line", color="gray", help="It ran on the command line of this machine.")
            elif mine:
                st.badge("Yours", color="blue", help="You asked for it.")
            else:
                st.badge("Another visitor’s", color="gray", help="Somebody else asked for it on this server.")
        if not mine and (experiment is None or typed.is_typed(experiment, visitor.ids)):
            if job.state == "queued":
                st.markdown(literal(running.standing(job)))
            st.caption(_UNREADABLE if experiment is None else _PRIVATE)
            if visitor.is_owner or visitor.leads(job):
                _changes(job, jobs)
            return
        if job.state == "running":
            st.progress(job.share, text=literal(running.standing(job)))
        else:
            st.markdown(literal(_status(job)))
        if job.state == "done" and experiment is not None and (answer_text := _answer(experiment, job.key)):
            st.markdown(answer_text)
        st.caption(literal(refusal if experiment is None else settings_in_words.of(experiment)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if experiment is not None:
                _link(experiment, job, mine=mine)
            if job.state == "done":
                _export(job)
            if visitor.may_change(job):
                _changes(job, jobs)


def _link(experiment: Experiment, job: Job, *, mine: bool) -> None:
    """Lead to the page of a run; one of files that no form can name is opened by its key, once it has a result."""
    icon, name = ":material/open_in_new:", experiment.attack.part_name()
    if isinstance(experiment.attack, OwnText):
        own_text.page_link(experiment, job.key if mine else "")
    elif job.state == "done" and isinstance(experiment.game, Audit):
        audits = navigation.FOLDER / "model_audit.py"  # it shows those without an entry of their own, too
        st.page_link(audits, label="Open", icon=icon, query_params={linked_result.RESULT: job.key})
    elif (
        job.asker == COMMAND_LINE
        and job.state == "done"
        and linked_result.reads_elsewhere(experiment)
        and (page := navigation.page_of(name)) is not None
    ):
        st.page_link(page.path, label="Open", icon=icon, query_params={"attack": name, linked_result.RESULT: job.key})
    else:
        links.page_link(experiment, "Open", icon)


def _export(job: Job) -> None:
    st.download_button(
        "Export",
        lambda: Store().export(job.key) or b"",
        f"telltale-{job.key}.zip",
        "application/zip",
        icon=":material/archive:",
        key=f"export-{row_name(job.key)}",
        on_click="ignore",
    )


def _changes(job: Job, jobs: Jobs) -> None:
    """Offer to cancel or delete a run to who may; before it is another visitor's, ask in words that say so."""
    if job.active:
        running.cancel_button(job, f"cancel-{row_name(job.key)}", on_click=_do, args=(jobs.cancel, job))
        return
    whose, label = "", "Delete run"
    if not visitors.current().owns(job):
        whose, label = "Another visitor asked for this run and may still need it. ", "Delete another visitor’s run"
    with st.popover("Delete", icon=":material/delete:", key=f"delete-{row_name(job.key)}"):
        st.markdown(f"{whose}This removes the run from the list, and its result from this machine.")
        st.button(label, key=f"really-{row_name(job.key)}", type="primary", on_click=_do, args=(_delete, job))


def _delete(key: str) -> None:
    Jobs(Store()).forget(key)
    Store().delete(key)


def _do(action: Callable[[str], None], job: Job) -> None:
    if visitors.current().may_change(job):
        panels.act(action, job.key)


def _parsed(job: Job) -> tuple[Experiment | None, str]:
    """Return the experiment of a job, or None and the reason."""
    try:
        return Experiment.parse(job.experiment), ""
    except TelltaleError as error:
        return None, f"It cannot be opened: {error}"


def row_name(key: str) -> str:
    """Return a name of a run for elements of a page; from its key, somebody could guess what another visitor typed."""
    return hashlib.blake2b(key.encode(), key=_SECRET, digest_size=8).hexdigest()


def _title(job: Job, experiment: Experiment | None) -> str:
    if experiment is None:
        return job.key if visitors.current().owns(job) else "A run"
    mine = visitors.current().owns(job)
    dataset = own_documents.title(experiment.dataset) if mine else experiment.dataset.title
    behind = "".join(f" behind {defense.named}" for defense in experiment.defenses)
    return f"{worded.named(experiment)} against {experiment.model.title} on {dataset}{behind}, seed {experiment.seed}"


def _answer(experiment: Experiment, key: str) -> str:
    """Return what a sentence gave away, or the attack's claim and how often it is right, as on the page of a result."""
    if isinstance(experiment.attack, OwnText):
        result = stored_results.readable(key)
        return "" if result is None else own_text.sentence(own_text.ranked(result))
    read = answer.read(stored_results.readable_estimates(key), experiment.as_dict()["game"])
    if read is None:
        return ""
    claimed = worded.claim(experiment)
    claim = f"{literal(claimed)}: " if claimed else ""
    right = read.right if claim else capitalised(read.right)
    return f"{claim}**{literal(right)}**{read.gap}{literal(f'{read.detail} {read.other_sizes}')}"


def _status(job: Job) -> str:
    ago = f"requested {_ago(job.asked)}"
    if job.state == "failed":
        return f"{job.message} The run was {ago}."
    if job.state == "queued":
        return f"{running.standing(job)}; {ago}."
    took = "" if job.started is None or job.ended is None else f" after {duration(job.ended - job.started)}"
    reached = f", at {job.done:,} of {job.total:,}" if job.state == "cancelled" and job.total else ""
    return f"{job.state.capitalize()}{took}{reached}; {ago}."


def _ago(moment: float) -> str:
    seconds = max(time.time() - moment, 0)
    if seconds < 60:
        return "less than a minute ago"
    return (
        f"{duration(seconds // 60 * 60).removesuffix(' 0 s')} ago"
        if seconds < 86_400
        else time.strftime("on %Y-%m-%d", time.localtime(moment))
    )
