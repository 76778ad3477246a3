"""Reports the progress of a queued run."""

import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from core.errors import RunCancelled, StoreError
from core.jobs import Jobs
from core.jobs.forecast import Forecast
from core.jobs.job import moment, sealed_rows
from core.runtime.progress import Progress


class JobProgress(Progress):
    """Writes the progress of a run into the queue, at most a few times a second, and its forecast every second.

    Used in a ``with`` block, it also writes while nothing is reported, from a thread. Each method raises `RunCancelled`
    when the job was cancelled or given to another process, or the queue is gone.
    """

    _interval = 0.3
    _beat = 1.0

    def __init__(self, jobs: Jobs, key: str, token: str, forecast: Forecast | None = None) -> None:
        """Report for the job of a key, as the process of a token."""
        self._jobs = jobs
        self._key = key
        self._token = token
        self._forecast = forecast or Forecast()
        self._done = 0
        self._total = 0
        self._written = 0.0
        self._lock = threading.RLock()
        self._over = threading.Event()

    def __enter__(self) -> Self:
        """Begin to write while nothing is reported."""
        threading.Thread(target=self._beating, name=f"report {self._key}", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Write no more: the run is over."""
        self._over.set()
        with self._lock:
            pass  # what is being written is finished

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage."""
        with self._lock:
            self._done, self._total = done, total
            self._forecast.stage(name, total, done)
            self._write(stage=name, total=total, done=done)
            self._written = 0.0

    def advance(self, items: int = 1) -> None:
        """Count finished items."""
        with self._lock:
            self._done += items
            self._forecast.advance(self._done)
            if time.monotonic() - self._written > self._interval or self._done == self._total:
                # This process got further than the killed ones before it, so its attempts count from 0 again.
                self._write(done=self._done, **({"attempts": 0} if items > 0 else {}))

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Publish the points of the result so far."""
        with self._lock:
            self._write(curve=sealed_rows(self._key, curve), done=self._done)

    def _beating(self) -> None:
        try:
            while not self._over.wait(self._beat):
                with self._lock:
                    if not self._over.is_set():
                        self._write(done=self._done)
        except RunCancelled:
            return  # The next report of the run itself raises it.

    def _write(self, **values: Any) -> None:
        outlook = self._forecast.outlook()
        ends = None if outlook.seconds_left is None else moment(time.time() + outlook.seconds_left)
        expected = {"ends": ends, "whole": int(outlook.whole), "late": int(outlook.late), "share": outlook.share}
        try:
            allowed = self._jobs.update(self._key, self._token, **values, **expected)
        except StoreError:
            return  # One lost progress report is no reason to lose the run.
        if not allowed:
            raise RunCancelled(f"The job {self._key} was cancelled or given to another process. Finished work is kept.")
        self._written = time.monotonic()
