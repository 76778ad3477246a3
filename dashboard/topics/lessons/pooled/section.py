"""The experiment of a room on a page: the dots so far, the state of the queue, and the viewer's own run."""

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard.kit import glossary, panels, running, visitors
from dashboard.kit.forms import needed
from dashboard.kit.words import literal
from dashboard.topics.lessons import small_drawing
from dashboard.topics.lessons.figures import pool
from dashboard.topics.lessons.lesson import Pooled
from dashboard.topics.lessons.pooled import runs


def show(pooled: Pooled, seeds: Sequence[int], own_seeds: Sequence[int], name: str, people: int) -> runs.Standing:
    """Draw the results of finished runs, and the state of the others.

    Args:
        pooled: The experiment.
        seeds: All seeds, each once.
        own_seeds: Seeds of the viewer.
        name: Name of the picture.
        people: How many people asked for a run.
    """
    standing, stored = runs.standing(pooled, seeds), runs.stored(pooled)
    finished = (standing.finished[seed].value for seed in reversed(own_seeds) if seed in standing.finished)
    own_share = next(finished, None)
    values = tuple(estimate.value for estimate in standing.finished.values())
    stored_values = tuple(estimate.value for estimate in stored)
    chance = stored[0].chance or 0.0
    small_drawing.show(pool.picture(pooled, values, stored_values, chance, own_share), f"{name}.pool")
    sentence = pool.sentence(values, stored_values, chance, own_share)
    st.markdown(literal(sentence), help=glossary.explained(sentence))
    _queue(standing, len(seeds), people)
    return standing


def own_run(pooled: Pooled, seed: int, standing: runs.Standing, label: str, key: str) -> None:
    """Show the state of the viewer's own run, and a button to start one again that ended without a result."""
    job = standing.jobs.get(seed)
    if seed in standing.finished:
        st.markdown(literal(pool.own_run(seed, standing.finished[seed].value)))
    elif job is None or not job.active:
        st.markdown(literal(pool.own_run(seed, None, "" if job is None else job.message)))
        st.button(label, key=key, on_click=panels.act, args=(runs.ask, pooled, seed))
    else:
        st.progress(job.share, text=f"**{literal(f'Your run, seed {seed}. {running.standing(job)}')}**")


def start(pooled: Pooled, box: str, label: str, key: str, begin: Callable[[], None]) -> None:
    """Let the visitor choose a seed, by default one that follows from who they are, and start a run with it.

    Args:
        pooled: The experiment.
        box: Key under which the session holds the seed.
        label: Text of the button.
        key: Key of the button.
        begin: Starts the run.
    """
    low = runs.lowest(pooled)
    st.number_input(
        f"Your seed, {low} to {runs.HIGHEST:,}",
        low,
        runs.HIGHEST,
        runs.suggested(pooled, visitors.digest()),
        key=box,
        help="Any number. People who choose the same number share one run, and one dot.",
    )
    st.button(label, key=key, on_click=begin, type="primary", icon=":material/play_arrow:")
    needed.tell_duration(runs.experiment(pooled, low))


def _queue(standing: runs.Standing, seeds: int, people: int) -> None:
    """Show how many runs are finished, running and waiting, and how many people share one."""
    counts = {"finished": len(standing.finished), "running": standing.count("running")}
    panels.note(pool.queue(seeds, people, **counts, waiting=standing.count("queued")))
