"""The queue of runs: one process a run, progress anyone may read, cancel, and resume after any crash."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import psutil

from core.errors import StoreError, StoreFull, StoreReadOnly
from core.progress import Progress
from core.store import Store

State = Literal["queued", "running", "done", "failed", "cancelled"]
_ATTEMPTS = 5
_TABLE = """
create table if not exists jobs (
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
    resumes from what it had finished.

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
        with self._changing() as database:
            database.execute(
                """
                insert into jobs (key, experiment, state, asked) values (?, ?, 'queued', ?)
                on conflict (key) do update set state = 'queued', asked = excluded.asked, started = null, ended = null,
                attempts = 0, message = '', stage = '', done = 0, total = 0
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
        """Return one job, or None."""
        return next((job for job in self.all() if job.key == key), None)

    def all(self) -> list[Job]:
        """Return all jobs, the latest asked first."""
        if not self._path.exists():
            return []
        with self._open() as database:
            rows = database.execute("select * from jobs order by asked desc").fetchall()
        waiting = sorted((row["asked"], row["key"]) for row in rows if row["state"] == "queued")
        return [_job(row, [key for _, key in waiting]) for row in rows]

    def cancel(self, key: str) -> None:
        """Stop a job; what it had finished is kept."""
        with self._changing() as database:
            row = database.execute("select pid, born from jobs where key = ? and state = 'running'", (key,)).fetchone()
            database.execute(
                "update jobs set state = 'cancelled', ended = ? where key = ? and state in ('queued', 'running')",
                (time.time(), key),
            )
        if row is not None and row["pid"] is not None:
            _end_session(row["pid"])
        self.tend()

    def forget(self, key: str) -> None:
        """Remove an ended job from the list."""
        with self._changing() as database:
            database.execute("delete from jobs where key = ? and state not in ('queued', 'running')", (key,))

    def tend(self) -> None:
        """Queue again what died, and start what waits while there is a free slot."""
        if not self._path.exists():
            return
        with self._changing() as database:
            running = database.execute("select * from jobs where state = 'running'").fetchall()
            dead = [row for row in running if not _alive(row["pid"], row["born"])]
            for row in dead:
                _end_session(row["pid"])
                self._requeue(database, row)
            free = self.slots - (len(running) - len(dead))
            waiting = database.execute("select key from jobs where state = 'queued' order by asked").fetchall()
            for row in waiting[: max(free, 0)]:
                process = self._start(row["key"])
                database.execute(
                    "update jobs set state = 'running', started = ?, pid = ?, born = ?, stage = 'Starting' where key = ?",
                    (time.time(), process, psutil.Process(process).create_time(), row["key"]),
                )

    def experiment(self, key: str) -> dict[str, Any]:
        """Return what a job is to run.

        Raises:
            StoreError: There is no such job.
        """
        job = self.find(key)
        if job is None:
            raise StoreError(f"No job {key} is in the queue of {self.store.root}.")
        return job.experiment

    def finish(self, key: str, state: State, message: str = "") -> None:
        """Record how a running job ended."""
        self.update(key, state=state, message=message, ended=time.time())

    def update(self, key: str, **values: Any) -> None:
        """Write columns of a job that is running."""
        columns = ", ".join(f"{name} = ?" for name in values)
        with self._changing() as database:
            database.execute(
                f"update jobs set {columns} where key = ? and state = 'running'",  # noqa: S608 - names are ours
                (*values.values(), key),
            )

    def _requeue(self, database: sqlite3.Connection, row: sqlite3.Row) -> None:
        if row["attempts"] + 1 >= _ATTEMPTS:
            message = f"Its process died {_ATTEMPTS} times. The log is {self._log(row['key'])}."
            database.execute(
                "update jobs set state = 'failed', ended = ?, message = ? where key = ?",
                (time.time(), message, row["key"]),
            )
            return
        database.execute(
            "update jobs set state = 'queued', attempts = attempts + 1, pid = null where key = ?", (row["key"],)
        )

    def _start(self, key: str) -> int:
        log = self._log(key)
        with self.store.writing():
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as output:
                process = subprocess.Popen(
                    [sys.executable, "-m", "core.worker", key],
                    cwd=Path(__file__).resolve().parent.parent,
                    env={**os.environ, "TELLTALE_HOME": str(self.store.root)},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
        return process.pid

    def _log(self, key: str) -> Path:
        return self.store.root / "logs" / f"{key}.txt"

    @property
    def _path(self) -> Path:
        return self.store.root / "jobs.sqlite"

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._open() as database:
            database.execute("begin immediate")
            try:
                yield database
            except BaseException:
                database.rollback()
                raise
            database.commit()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        database = None
        try:
            with self.store.writing():
                self.store.root.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self._path, timeout=30, isolation_level=None)
            database.row_factory = sqlite3.Row
            database.execute("pragma journal_mode = wal")
            database.execute(_TABLE)
            yield database
        except sqlite3.Error as error:
            raise self._explained(error) from error
        finally:
            if database is not None:
                database.close()

    def _explained(self, error: sqlite3.Error) -> StoreError:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_FULL":
            return StoreFull(f"No space is left in {self.store.root}. Free some, then run again: it resumes.")
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            return StoreReadOnly(f"{self._path} cannot be written. Point TELLTALE_HOME at a folder that can.")
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            aside = self._path.with_name(f"jobs.damaged-{int(time.time())}.sqlite")
            self._path.rename(aside)
            return StoreError(f"The queue was damaged and is set aside as {aside.name}. Ask again; results are kept.")
        return StoreError(f"The queue {self._path} cannot be used: {error}.")


class JobProgress(Progress):
    """Writes the progress of a run into the queue, at most a few times a second."""

    _interval = 0.3

    def __init__(self, jobs: Jobs, key: str) -> None:
        """Report for the job of that key."""
        self._jobs = jobs
        self._key = key
        self._done = 0
        self._written = 0.0

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage."""
        self._done = done
        self._jobs.update(self._key, stage=name, total=total, done=done, resumed=done, stage_began=time.time())

    def advance(self, items: int = 1) -> None:
        """Count finished items."""
        self._done += items
        if time.monotonic() - self._written > self._interval:
            self._jobs.update(self._key, done=self._done)
            self._written = time.monotonic()

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Publish the points known so far."""
        self._jobs.update(self._key, curve=json.dumps(_finite(curve)), done=self._done)


def _finite(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{name: None if value != value else value for name, value in row.items()} for row in rows]


def _job(row: sqlite3.Row, waiting: list[str]) -> Job:
    left = None
    fresh = row["done"] - row["resumed"]
    if row["state"] == "running" and row["total"] and fresh > 0 and row["stage_began"]:
        left = (time.time() - row["stage_began"]) / fresh * (row["total"] - row["done"])
    return Job(
        key=row["key"],
        experiment=json.loads(row["experiment"]),
        state=row["state"],
        asked=row["asked"],
        started=row["started"],
        ended=row["ended"],
        stage=row["stage"],
        done=row["done"],
        total=row["total"],
        seconds_left=left,
        curve=json.loads(row["curve"]),
        message=row["message"],
        position=waiting.index(row["key"]) + 1 if row["key"] in waiting else 0,
    )


def _alive(pid: int | None, born: float | None) -> bool:
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - (born or 0)) < 1
    except (psutil.NoSuchProcess, ValueError):
        return False


def _end_session(leader: int | None) -> None:
    if leader is None:
        return
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == leader:
                process.kill()
        except (psutil.Error, ProcessLookupError, PermissionError):
            continue
