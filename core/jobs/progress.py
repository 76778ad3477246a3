"""Reports the progress of a queued run."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import RunCancelled, StoreError
from core.jobs import Jobs
from core.jobs.job import sealed_rows
from core.runtime.progress import Progress


class JobProgress(Progress):
    """Writes the progress of a run into the queue, at most a few times a second.

    Each method raises `RunCancelled` when the job was cancelled or given to another process, or the queue is gone.
    """

    _interval = 0.3

    def __init__(self, jobs: Jobs, key: str, token: str) -> None:
        """Report for the job of a key, as the process of a token."""
        self._jobs = jobs
        self._key = key
        self._token = token
        self._done = 0
        self._total = 0
        self._written = 0.0

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage."""
        self._done, self._total = done, total
        self._write(stage=name, total=total, done=done, resumed=done, stage_began=time.time())
        self._written = 0.0

    def advance(self, items: int = 1) -> None:
        """Count finished items."""
        self._done += items
        if time.monotonic() - self._written > self._interval or self._done == self._total:
            # This process got further than the killed ones before it, so its attempts count from 0 again.
            self._write(done=self._done, **({"attempts": 0} if items > 0 else {}))

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Publish the points of the result so far."""
        self._write(curve=sealed_rows(self._key, curve), done=self._done)

    def _write(self, **values: Any) -> None:
        try:
            allowed = self._jobs.update(self._key, self._token, **values)
        except StoreError:
            return  # One lost progress report is no reason to lose the run.
        if not allowed:
            raise RunCancelled(f"The job {self._key} was cancelled or given to another process. Finished work is kept.")
        self._written = time.monotonic()
