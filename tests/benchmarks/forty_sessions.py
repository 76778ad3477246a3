"""Forty people on one server: how long a page takes to open, and what it costs; run with python -m."""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.experiment import Experiment
from core.jobs import Jobs
from core.runtime.store import Store
from dashboard import navigation
from tests.benchmarks import limits
from tests.benchmarks.visitor import Visitor, visiting
from tests.serving import Served, serving

PAUSES = 5.0, 15.0
"""Seconds that a person looks at a page before opening the next."""

_MINUTES_A_RUN = 5.0
"""At least so long a run trains, alone on two cores."""
LIMITS = {"browsing": 1.0, "browsing_while_training": 2.0, "at_once": 20.0, "memory_mb": 1500.0, "growth_mb": 20.0}
BEFORE = {"browsing": 49.6, "browsing_while_training": 21.0, "at_once": 261.0}
"""Seconds on two cores before pages shared what is the same for every session: half or a twentieth waited longer."""


def main() -> None:
    """Let people browse, browse beside a run, all open a page at once, and come and go; print what they waited."""
    options = _options()
    pages = [page.name for page in navigation.declared()]
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), options.workers) as server:
        asyncio.run(_opened_once(server, pages))
        browsing = asyncio.run(_browsed(server, pages, options))
        at_once = asyncio.run(_opened_at_once(server, pages, options.crowd))
        memory_mb = server.memory_mb()
        growth_mb = asyncio.run(_growth_mb(server, options.reconnects))
        with training(Store(Path(folder) / "home")):
            beside = asyncio.run(_browsed(server, pages, options))
            memory_mb = max(memory_mb, server.memory_mb())
    figures = {
        "browsing": {**waits(browsing), "limit_p95": LIMITS["browsing"], "before_p95": BEFORE["browsing"]},
        "browsing_while_training": {
            **waits(beside),
            "limit_p95": LIMITS["browsing_while_training"],
            "before_median": BEFORE["browsing_while_training"],
        },
        "at_once": {**waits(at_once), "limit_last": LIMITS["at_once"], "before_last": BEFORE["at_once"]},
        "workers": options.workers,
        "memory_mb": round(memory_mb),
        "growth_mb": round(growth_mb, 1),
        "limit_growth_mb": LIMITS["growth_mb"],
    }
    line = {
        "name": "forty_sessions",
        "ratio": round(BEFORE["browsing"] / waits(browsing)["p95"], 1),
        "compared": (
            f"seconds within which 95 of 100 pages open while {options.sessions} sessions each open one every 5 to "
            "15 s: before pages shared what is the same for every session, over now"
        ),
        "figures": figures,
    }
    held = {
        "seconds to open a page, 95th percentile": (waits(browsing)["p95"], LIMITS["browsing"]),
        "the same beside a run": (waits(beside)["p95"], LIMITS["browsing_while_training"]),
        "seconds until the last of a crowd has its page": (waits(at_once)["last"], LIMITS["at_once"]),
        "megabytes, before the run and beside it": (memory_mb, LIMITS["memory_mb"]),
        "megabytes more after sessions came and went": (growth_mb, LIMITS["growth_mb"]),
    }
    limits.end(line, held)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1, help="Processes of the server.")
    parser.add_argument("--sessions", type=int, default=40, help="People who browse.")
    parser.add_argument("--seconds", type=float, default=60.0, help="How long they do.")
    parser.add_argument("--crowd", type=int, default=200, help="People who open a page at once.")
    parser.add_argument("--reconnects", type=int, default=1000, help="Sessions that come and go.")
    return parser.parse_args()


def waits(seconds: Sequence[float]) -> dict[str, float]:
    """Return how many times somebody waited, and for how long: the median, the 95th percentile and the longest."""
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return {
        "count": len(seconds),
        "median": round(statistics.median(seconds), 2),
        "p95": round(cuts[-1], 2),
        "last": round(max(seconds), 2),
    }


async def _opened_once(server: Served, pages: Sequence[str]) -> None:
    for page in pages:
        await _waited(server, page)


async def _waited(server: Served, page: str) -> float:
    """Open a page in a session of its own, and return the seconds until it was there."""
    start = time.perf_counter()
    async with visiting(server.address) as visitor:
        await _opened(visitor, page)
    return time.perf_counter() - start


async def _opened(visitor: Visitor, page: str) -> None:
    """Open a page.

    Raises:
        SystemExit: The page shows an error.
    """
    drawn = await visitor.open(page)
    if drawn.errors:
        raise SystemExit(f"The page {page} failed: {drawn.errors[0]}")


async def _browsed(server: Served, pages: Sequence[str], options: argparse.Namespace) -> list[float]:
    end = time.perf_counter() + options.seconds

    async def person(number: int) -> list[float]:
        chance, waits = random.Random(number), []
        await asyncio.sleep(chance.uniform(0, PAUSES[1]))
        async with visiting(server.address) as visitor:
            while time.perf_counter() < end:
                start = time.perf_counter()
                await _opened(visitor, chance.choice(pages))
                waits.append(time.perf_counter() - start)
                await asyncio.sleep(chance.uniform(*PAUSES))
        return waits

    return [wait for waits in await asyncio.gather(*map(person, range(options.sessions))) for wait in waits]


async def _opened_at_once(server: Served, pages: Sequence[str], crowd: int) -> list[float]:
    return list(await asyncio.gather(*(_waited(server, pages[number % len(pages)]) for number in range(crowd))))


async def _growth_mb(server: Served, reconnects: int) -> float:
    """Return how much the server grows from the first third of many short sessions to the last, in megabytes."""
    sizes = []
    for _ in range(3):
        for _ in range(reconnects // 3):
            await _waited(server, "overview")
        sizes.append(server.memory_mb())
    return sizes[-1] - sizes[0]


@contextmanager
def training(store: Store, minutes: float = 5.0) -> Iterator[None]:
    """Let runs train, one after the other, that together last longer than people browse."""
    seeds = range(77, 78 + int(minutes / _MINUTES_A_RUN))
    runs = [Experiment.preset("word_pairs", "demo", seed=seed, attack={"shadow_pairs": 2000}) for seed in seeds]
    jobs = Jobs(store)
    for run in runs:
        jobs.ask(run.as_dict(), run.key)
    try:
        yield
    finally:
        for run in reversed(runs):
            jobs.cancel(run.key)
        while any((job := jobs.find(run.key)) is not None and job.active for run in runs):
            time.sleep(0.5)


if __name__ == "__main__":
    main()
