"""The runs of a pooled experiment: its seeds, their keys in the store, and the state of each."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Condition

from cachetools import TTLCache, cached

from core.errors import StoreError
from core.experiment import Experiment
from core.jobs import Job, Jobs
from core.result import Estimate
from core.runtime.store import Store
from dashboard.kit import running, stored_results
from dashboard.topics.lessons import evidence
from dashboard.topics.lessons.lesson import Measured, Pooled

HIGHEST = 9_999
"""The highest seed that people may choose."""
MOST = 30
"""Most runs that somebody who learns alone may pool."""
_SECONDS = 0.5


@dataclass(frozen=True)
class Standing:
    """The state of the runs of some seeds.

    Attributes:
        finished: What each finished run measured, by its seed.
        jobs: The jobs of unfinished runs, by their seed; None for a run that was never queued, or that was removed.
    """

    finished: dict[int, Estimate]
    jobs: dict[int, Job | None]

    def count(self, *states: str) -> int:
        """Return how many unfinished runs are in one of some states."""
        return sum(job is not None and job.state in states for job in self.jobs.values())


def lowest(pooled: Pooled) -> int:
    """Return the lowest seed that people may choose, above those of the stored results."""
    return 1 + max(evidence.entry(name).experiment.seed for name in pooled.results)


def suggested(pooled: Pooled, visitor: str) -> int:
    """Return a seed drawn from the digest of a visitor: in one room of 25, two of thirty people get the same."""
    first = lowest(pooled)
    return first + int(visitor[:12] or "0", 16) % (HIGHEST - first + 1)


@lru_cache(maxsize=1000)
def experiment(pooled: Pooled, seed: int) -> Experiment:
    """Return the experiment with a seed."""
    return evidence.entry(pooled.results[0]).experiment.replace(seed=seed)


@lru_cache(maxsize=1000)
def key(pooled: Pooled, seed: int) -> str:
    """Return the key of the experiment with a seed; cached, since shipped data do not change while a server runs."""
    return experiment(pooled, seed).key


def stored(pooled: Pooled) -> list[Estimate]:
    """Return the estimates of the stored results.

    Raises:
        Missing: One is not stored.
    """
    return [evidence.estimate(Measured(name, pooled.estimate)) for name in pooled.results]


def standing(pooled: Pooled, seeds: Iterable[int]) -> Standing:
    """Return the state of the runs of some seeds."""
    finished, unfinished = {}, []
    for seed in seeds:
        estimate = stored_results.readable_estimates(key(pooled, seed)).get(pooled.estimate)
        if estimate is None:
            unfinished.append(seed)
        else:
            finished[seed] = estimate
    jobs: dict[str, Job] = {}
    if unfinished:
        with suppress(StoreError):  # the next screen asks again
            jobs = _queue(Store().root)
    return Standing(finished, {seed: jobs.get(key(pooled, seed)) for seed in unfinished})


def ask(pooled: Pooled, seed: int) -> None:
    """Queue a run on behalf of the visitor, unless its result is stored; the same seed is the same run.

    Raises:
        InvalidSpec: The visitor may not run it.
        StoreError: The queue cannot be used.
        TooManyRuns: The visitor asks for more runs than allowed.
    """
    if not stored_results.readable_estimates(key(pooled, seed)):
        running.ask(experiment(pooled, seed))
        _queue.cache_clear()


@cached(TTLCache(8, _SECONDS), condition=Condition())
def _queue(root: Path) -> dict[str, Job]:
    """Return the jobs by their keys, looked up once for all screens that ask within half a second."""
    queue = Jobs(Store(root))
    queue.tend()
    return {job.key: job for job in queue.all()}
