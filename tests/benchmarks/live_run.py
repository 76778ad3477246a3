"""The live run of a tour: how soon after Run is pressed it works, and how soon it is done; run with python -m."""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from core.jobs import Job, Jobs
from core.runtime.store import Store
from dashboard.topics.lessons.tour import position
from dashboard.topics.lessons.tour.tour import tours
from tests.benchmarks import limits
from tests.benchmarks.visitor import Box, visiting
from tests.serving import Served, serving

STARTS, ENDS = 3.0, 60.0
"""Seconds within which a talk may expect the run to begin its first stage, and to be over."""
_POLL_SECONDS, _SEED = 0.05, 1001


def main() -> None:
    """Give the tour up to its live run on a fresh server, press Run, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tour", choices=list(tours()), default=next(iter(tours())))
    parser.add_argument("--times", type=int, default=3, help="Runs, each with a seed of its own.")
    options = parser.parse_args()
    starts, ends = [], []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        jobs = Jobs(Store(Path(folder) / "home"))
        for seed in range(_SEED, _SEED + options.times):
            tour_position = _live(position.Position(tours()[options.tour], 1, seed))
            started, ended = asyncio.run(_run(server, tour_position, jobs))
            starts.append(round(started, 2))
            ends.append(round(ended, 1))
    line = {
        "name": "live_run",
        "ratio": round(max(max(starts) / STARTS, max(ends) / ENDS), 2),
        "compared": (
            f"seconds until the live run of the tour {options.tour!r} works and until it is done, the longest of "
            f"{options.times}, over limits of {STARTS:g} and {ENDS:g} s; the larger of the two ratios, below 1 is good"
        ),
        "figures": {"starts": starts, "ends": ends, "load_average": round(os.getloadavg()[0], 1)},
    }
    limits.end(line, {"seconds to start": (max(starts), STARTS), "seconds to end": (max(ends), ENDS)})


def _live(tour_position: position.Position) -> position.Position:
    """Return the first stop of a tour at which something is run."""
    while not tour_position.stop.live:
        further = tour_position.moved(1)
        if further is None:
            raise SystemExit(f"The tour {tour_position.tour.name!r} runs nothing.")
        tour_position = further
    return tour_position


async def _run(server: Served, tour_position: position.Position, jobs: Jobs) -> tuple[float, float]:
    """Press Run at a stop; return the seconds until the run is at its first stage, and until it is done."""
    experiment = tour_position.live
    assert experiment is not None
    async with visiting(server.address) as visitor:
        buttons: dict[str, Box] = {}
        while "Run" not in buttons:  # the first drawing of a session may be of the page before
            page = await visitor.open(tour_position.path.stem, tour_position.query)
            buttons = {button.label: button for button in page.buttons}
        pressed = time.perf_counter()
        await visitor.press(buttons["Run"])
    started, job = None, None
    while job is None or job.active:
        await asyncio.sleep(_POLL_SECONDS)
        job = jobs.find(experiment.key)
        if started is None and _works(job):
            started = time.perf_counter() - pressed
    if job.state != "done" or started is None:
        raise SystemExit(f"The live run ended {job.state}: {job.message}")
    return started, time.perf_counter() - pressed


def _works(job: Job | None) -> bool:
    """Tell whether a page shows that a run is at work."""
    return job is not None and job.state != "queued" and bool(job.stage)


if __name__ == "__main__":
    main()
