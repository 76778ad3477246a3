"""The pooled experiment for somebody who learns alone: the stored spread, and the runs of their own seeds."""

from functools import partial

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.words import literal
from dashboard.topics.lessons import evidence, reveal
from dashboard.topics.lessons.lesson import Lesson, Pooled
from dashboard.topics.lessons.pooled import runs, section

_STATE, _SECONDS = "lessons/seeds", 1.0


def show(lesson: Lesson, pooled: Pooled) -> None:
    """Draw the experiment; the seeds stay in the session."""
    st.title(literal(pooled.title), anchor=False)
    reveal.text(pooled.situation)
    seeds, box = _seeds(lesson), f"{lesson.name}.seed"
    if len(seeds) < runs.MOST:
        begin = partial(panels.act, _start, lesson, pooled, box)
        section.start(pooled, box, "Start a run", "lesson.run", begin)
    unfinished = bool(runs.standing(pooled, seeds).jobs)
    st.fragment(_going_on, run_every=_SECONDS if unfinished else None)(lesson, pooled)
    st.subheader("Why", anchor=False)
    reveal.text(pooled.why)


def _going_on(lesson: Lesson, pooled: Pooled) -> None:
    seeds = _seeds(lesson)
    try:
        standing = section.show(pooled, seeds, seeds, f"{lesson.name}.alone", len(seeds))
    except evidence.Missing as missing:
        reveal.missing_result(missing)
        return
    for seed in standing.jobs:
        section.own_run(pooled, seed, standing, "Start it again", f"lesson.again.{seed}")


def _start(lesson: Lesson, pooled: Pooled, box: str) -> None:
    """Start a run with the chosen seed, and propose the next one."""
    seed, seeds = int(st.session_state[box]), _seeds(lesson)
    runs.ask(pooled, seed)
    if seed not in seeds:
        seeds.append(seed)
    st.session_state[box] = min(seed + 1, runs.HIGHEST)


def _seeds(lesson: Lesson) -> list[int]:
    """Return the seeds of this session, in the order in which they were started."""
    seeds: dict[str, list[int]] = st.session_state.setdefault(_STATE, {})
    return seeds.setdefault(lesson.name, [])
