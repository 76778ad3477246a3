"""Who runs next, and how long each waiting run is expected to wait."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.jobs.capacity import Capacity
from core.jobs.job import STARTING, Job


def in_turn(jobs: Sequence[Job]) -> list[Job]:
    """Return the waiting jobs in the order in which they will start, fair among visitors.

    Whoever has fewer runs under way or further ahead goes first; among equals, who asked first.
    """
    ahead = Counter(job.asker for job in jobs if job.state == "running")
    turns = []
    for job in sorted((job for job in jobs if job.state == "queued"), key=lambda job: (job.asked, job.key)):
        turns.append((ahead[job.asker], job.asked, job.key, job))
        ahead[job.asker] += 1
    return [turn[-1] for turn in sorted(turns, key=lambda turn: turn[:-1])]


def with_waits(jobs: Sequence[Job], capacity: Capacity) -> list[Job]:
    """Return jobs with the position of each that waits, and how long it is expected to wait.

    Those that are expected to start together have one position.

    A wait is known where it is known how long every run before it takes: each ends when its own estimate says, or
    takes as long as runs like it took, and longer as far as those under way do. Those who wait get places as
    `Capacity.grant` will give them.
    """
    waiting = in_turn(jobs)
    ends = [(_left(job), job.places) for job in jobs if job.state == "running"]
    waits: dict[str, float | None] = {}
    slowdown, now = _slowdown(jobs), 0.0
    for number, job in enumerate(waiting):
        while not (places := capacity.grant([held_places for _, held_places in ends], len(waiting) - number)):
            if any(end is None for end, _ in ends):
                break
            first = min(range(len(ends)), key=lambda row: ends[row][0] or 0.0)
            now = max(now, ends.pop(first)[0] or 0.0)
        if not places:
            break
        waits[job.key] = now
        ends.append((None if job.expected is None else now + slowdown * job.expected, places))
    positions: dict[str, int] = {}
    for number, job in enumerate(waiting, 1):
        before = waiting[number - 2].key if number > 1 else ""
        together = before in waits and waits[before] == waits.get(job.key)
        positions[job.key] = positions[before] if together else number
    late = any(job.late for job in jobs if job.state == "running")
    return [
        replace(job, position=positions[job.key], wait=waits.get(job.key), late=late) if job.key in positions else job
        for job in jobs
    ]


def _left(job: Job) -> float | None:
    """Return the seconds until a running job is expected to end, or None."""
    if job.whole and job.seconds_left is not None:
        return job.seconds_left
    if job.expected is not None and job.started is not None and (job.whole or job.stage == STARTING):
        return max(job.expected - (time.time() - job.started), 0.0)  # its own estimate takes some seconds
    return None


def _slowdown(jobs: Sequence[Job]) -> float:
    """Return how many times as long as expected the runs under way take; at least 1."""
    took = [
        ((time.time() - job.started + job.seconds_left) / job.expected)
        for job in jobs
        if job.state == "running" and job.whole and job.started and job.expected and job.seconds_left is not None
    ]
    return max(sum(took) / len(took), 1.0) if took else 1.0
