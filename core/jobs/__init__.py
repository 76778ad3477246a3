"""The queue of runs: one process a run, progress anyone may read, cancel, and resume after any crash."""

import json
import math
import os
import sqlite3
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from core.errors import RunCancelled, StoreError
from core.jobs import sessions
from core.jobs.queue_file import QueueFile
from core.runtime.progress import Progress
from core.runtime.store import Store

State = Literal["queued", "running", "done", "failed", "cancelled"]
_ATTEMPTS = 5
_TABLE = """
create table jobs (
    key text primary key, experiment text not null, state text not null, asked real not null, started real, ended real,
    pid integer, born real, attempts integer not null default 0, stage text not null default '',
    done integer not null default 0, total integer not null default 0, resumed integer not null default 0,
    stage_began real, curve text not null default '[]', message text not null default ''
)
"""


@dataclass(frozen=True)
class Job:
    """One run, as anyone may see it.

    Attributes:
        key: Key of its experiment.
        experiment: The experiment as plain values.
        state: Where it stands.
        asked: When it was asked for, seconds since 1970.
        started: When its process began, or None.
        ended: When it ended, or None.
        stage: What it is doing.
        done: Items of the stage that are finished.
        total: Items of the stage; 0 when not countable.
        seconds_left: Estimate for the stage, or None when nothing is known yet.
        curve: Points of the result so far.
        message: Why it failed.
        position: Place in the queue, 0 when it is not waiting.
    """

    key: str
    experiment: dict[str, Any]
    state: State
    asked: float
    started: float | None
    ended: float | None
    stage: str
    done: int
    total: int
    seconds_left: float | None
    curve: list[dict[str, Any]]
    message: str
    position: int = 0

    @property
    def active(self) -> bool:
        """Tell whether it waits or runs."""
        return self.state in ("queued", "running")


@dataclass(frozen=True)
class Jobs:
    """The queue of one store, shared by every tab, server and process that opens the store.

    It is a SQLite database in WAL mode beside the results. Runs are sessions of their own: they outlive the server
    that started them. Whoever looks at the queue also tends it: a run whose process is gone is queued again and
    resumes from what it had finished. Reading never fails for want of a queue: where there is none, there are no jobs.

    Attributes:
        store: Where results go and the queue lies.
        slots: How many runs may go on at once.
    """

    store: Store
    slots: int = 1

    def ask(self, experiment: Mapping[str, Any], key: str) -> Job:
        """Queue an experiment, unless it is queued or running, and return its job.

        Raises:
            StoreReadOnly: The folder of the store cannot be written.
            StoreFull: No space is left.
        """
        self.store.check_writable()
        self._file.create()
        with self._file.changing() as database:
            database.execute(
                """
                insert into jobs (key, experiment, state, asked) values (?, ?, 'queued', ?)
                on conflict (key) do update set state = 'queued', asked = excluded.asked, started = null, ended = null,
                experiment = excluded.experiment, attempts = 0, message = '', stage = '', done = 0, total = 0
                where state not in ('queued', 'running')
                """,
                (key, json.dumps(experiment), time.time()),
            )
        self.tend()
        found = self.find(key)
        if found is None:
            raise StoreError(f"The job {key} vanished from the queue.")
        return found

    def find(self, key: str) -> Job | None:
        """Return one job, or None.

        Raises:
            StoreError: The queue is damaged; it is set aside, and the next call works.
        """
        return next((job for job in self.all() if job.key == key), None)

    def all(self) -> list[Job]:
        """Return all jobs, the latest asked first.

        Raises:
            StoreError: The queue is damaged; it is set aside, and the next call works.
        """
        rows = self._file.rows("select * from jobs order by asked desc")
        try:
            return _jobs(rows)
        except (ValueError, TypeError, KeyError) as error:
            raise self._file.damaged() from error

    def cancel(self, key: str) -> None:
        """Stop a job; what it had finished is kept.

        Raises:
            StoreReadOnly: The folder of the store cannot be written.
        """
        if not self._file.exists():
            return
        with self._file.changing() as database:
            row = database.execute("select pid from jobs where key = ? and state = 'running'", (key,)).fetchone()
            database.execute(
                "update jobs set state = 'cancelled', ended = ? where key = ? and state in ('queued', 'running')",
                (time.time(), key),
            )
        if row is not None:
            sessions.end(row["pid"], key)
        self.tend()

    def forget(self, key: str) -> None:
        """Remove an ended job from the list.

        Raises:
            StoreReadOnly: The folder of the store cannot be written.
        """
        if not self._file.exists():
            return
        with self._file.changing() as database:
            database.execute("delete from jobs where key = ? and state not in ('queued', 'running')", (key,))

    def tend(self) -> None:
        """Queue again what died, and start what waits while there is a free slot.

        Many pages call this every second, so it writes only when there is something to change.

        Raises:
            StoreError: The queue cannot be changed, or is damaged.
        """
        rows = self._file.rows("select state, pid, born from jobs where state in ('queued', 'running')")
        running = [row for row in rows if row["state"] == "running"]
        if len(running) < min(self.slots, len(rows)) or not all(
            sessions.is_alive(row["pid"], row["born"]) for row in running
        ):
            with self._file.changing() as database:
                self._tend(database)

    def _tend(self, database: sqlite3.Connection) -> None:
        running = database.execute("select * from jobs where state = 'running'").fetchall()
        dead = [row for row in running if not sessions.is_alive(row["pid"], row["born"])]
        for row in dead:
            sessions.end(row["pid"], row["key"])
            self._requeue(database, row)
        free = self.slots - (len(running) - len(dead))
        waiting = database.execute("select key from jobs where state = 'queued' order by asked, key").fetchall()
        for row in waiting[: max(free, 0)]:
            pid, born = self._start(row["key"])
            database.execute(
                """
                update jobs set state = 'running', started = ?, pid = ?, born = ?, stage = 'Starting', done = 0,
                total = 0 where key = ?
                """,
                (time.time(), pid, born, row["key"]),
            )

    def claim(self, key: str) -> dict[str, Any]:
        """Return what a job is to run, to the process that was started for it.

        Raises:
            RunCancelled: The job is no longer, or not yet, this process's to run.
            StoreError: The queue cannot be used.
        """
        with self._file.changing() as database:
            row = database.execute("select * from jobs where key = ? and state = 'running'", (key,)).fetchone()
        if row is None or row["pid"] != os.getpid():
            raise RunCancelled(f"The job {key} is not this process's to run.")
        try:
            return _job(row).experiment
        except (ValueError, TypeError, KeyError) as error:
            raise self._file.damaged() from error

    def finish(self, key: str, state: State, message: str = "") -> None:
        """Record how a running job ended."""
        self.update(key, state=state, message=message, ended=time.time())

    def update(self, key: str, **values: Any) -> bool:
        """Write columns of a job, and tell whether it was there and running."""
        columns = ", ".join(f"{name} = ?" for name in values)
        with self._file.changing() as database:
            changed = database.execute(
                f"update jobs set {columns} where key = ? and state = 'running'",
                (*values.values(), key),
            )
            return changed.rowcount > 0

    def _requeue(self, database: sqlite3.Connection, row: sqlite3.Row) -> None:
        if row["attempts"] + 1 >= _ATTEMPTS:
            message = (
                f"Its process died {_ATTEMPTS} times without finishing anything. Its log is {self._log(row['key'])}."
            )
            database.execute(
                "update jobs set state = 'failed', ended = ?, message = ? where key = ?",
                (time.time(), message, row["key"]),
            )
            return
        database.execute(
            "update jobs set state = 'queued', attempts = attempts + 1, pid = null where key = ?", (row["key"],)
        )

    def _start(self, key: str) -> tuple[int, float]:
        """Start the process of a job; return its number and when it was born."""
        log = self._log(key)
        with self.store.writing():
            log.parent.mkdir(parents=True, exist_ok=True)
            return sessions.start(
                [sys.executable, "-m", "core.jobs.worker", key],
                mark=key,
                environment={"TELLTALE_HOME": str(self.store.root.absolute())},
                folder=Path(__file__).resolve().parents[2],
                log=log,
            )

    def _log(self, key: str) -> Path:
        return self.store.root / "logs" / f"{key}.txt"

    @property
    def _file(self) -> QueueFile:
        return QueueFile(self.store, _TABLE, _jobs)


class JobProgress(Progress):
    """Writes the progress of a run into the queue, at most a few times a second."""

    _interval = 0.3

    def __init__(self, jobs: Jobs, key: str) -> None:
        """Report for the job of that key."""
        self._jobs = jobs
        self._key = key
        self._done = 0
        self._total = 0
        self._written = 0.0

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage.

        Raises:
            RunCancelled: The job was cancelled, or the queue is gone.
        """
        self._done, self._total = done, total
        self._write(stage=name, total=total, done=done, resumed=done, stage_began=time.time())
        self._written = 0.0

    def advance(self, items: int = 1) -> None:
        """Count finished items.

        Raises:
            RunCancelled: The job was cancelled, or the queue is gone.
        """
        self._done += items
        if time.monotonic() - self._written > self._interval or self._done == self._total:
            # Whatever killed earlier processes of this job, this one got further.
            self._write(done=self._done, **({"attempts": 0} if items > 0 else {}))

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Publish the points known so far.

        Raises:
            RunCancelled: The job was cancelled, or the queue is gone.
        """
        self._write(curve=json.dumps(_finite(curve)), done=self._done)

    def _write(self, **values: Any) -> None:
        try:
            there = self._jobs.update(self._key, **values)
        except StoreError:
            return  # Nobody sees this step. That is no reason to lose the run.
        if not there:
            raise RunCancelled(f"The job {self._key} was cancelled. What it had finished is kept.")
        self._written = time.monotonic()


def _finite(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}
        for row in rows
    ]


def _jobs(rows: Sequence[sqlite3.Row]) -> list[Job]:
    waiting = sorted((row["asked"], row["key"]) for row in rows if row["state"] == "queued")
    places = {key: place for place, (_, key) in enumerate(waiting, start=1)}
    return [_job(row, places.get(row["key"], 0)) for row in rows]


def _job(row: sqlite3.Row, position: int = 0) -> Job:
    """Read a job.

    Raises:
        ValueError: The row does not hold one.
        TypeError: The row does not hold one.
        KeyError: The row does not hold one.
    """
    experiment, curve = json.loads(row["experiment"]), json.loads(row["curve"])
    if row["state"] not in get_args(State) or not isinstance(experiment, dict) or not isinstance(curve, list):
        raise ValueError(f"The row of {row['key']!r} holds no job.")
    done, total = int(row["done"]), int(row["total"])
    left = None
    fresh = done - int(row["resumed"])
    if row["state"] == "running" and total and fresh > 0 and row["stage_began"]:
        left = max(time.time() - float(row["stage_began"]), 0.0) / fresh * max(total - done, 0)
    return Job(
        key=str(row["key"]),
        experiment=experiment,
        state=row["state"],
        asked=float(row["asked"]),
        started=None if row["started"] is None else float(row["started"]),
        ended=None if row["ended"] is None else float(row["ended"]),
        stage=str(row["stage"]),
        done=done,
        total=total,
        seconds_left=left,
        curve=curve,
        message=str(row["message"]),
        position=position,
    )
