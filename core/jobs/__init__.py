"""The queue of runs: one process a run, with progress, cancellation, and recovery after any crash."""

import re
import secrets
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import RunCancelled, StoreError
from core.jobs import sessions
from core.jobs.capacity import Capacity
from core.jobs.job import STARTING, Job, State, jobs_of, moment, sealed_rows
from core.jobs.limits import Limits
from core.jobs.queue_file import QueueFile
from core.jobs.timelines import Timelines
from core.jobs.waiting import in_turn, with_waits
from core.runtime.folders import writing
from core.runtime.sealed_text import sealed
from core.runtime.store import Store

__all__ = ["COMMAND_LINE", "Job", "Jobs", "Limits", "State"]

COMMAND_LINE = "command line"
"""Asker of the runs of the command line."""
_ATTEMPTS = 5
_RECENT = 86_400.0
_ACTIVE = "state in ('queued', 'running')"
_REMOVE = f"delete from jobs where key = ? and not {_ACTIVE}"
_WITH_WHAT_IT_WAITS_FOR = (
    f"key = :key or ({_ACTIVE} and exists (select 1 from jobs where key = :key and state = 'queued'))"
)


@dataclass(frozen=True)
class Jobs:
    """The queue of one store, shared by every tab, server and process that opens the store.

    It is a SQLite database in WAL mode beside the results; without one, there are no jobs. Each run is a process
    session that outlives the server that started it. A run whose process is gone is queued again, and resumes from what
    it had finished.

    Each start of a run draws a token, and its process locks the file ``run-locks/TOKEN`` while it lives. Only the
    process whose token is in the queue may write; one that was replaced is refused and ends. Servers in several
    containers may share a store. Several machines may not, unless they share file locks and mapped files, which SQLite
    needs too and network file systems lack.

    Methods raise `StoreFull`, `StoreReadOnly` or another `StoreError` when the queue cannot be used.

    Attributes:
        store: Holds the results and the queue.
        capacity: What runs may take of this machine together; each run keeps the places that it started with.
    """

    store: Store
    capacity: Capacity = field(default_factory=Capacity.of_machine)

    def ask(
        self,
        experiment: Mapping[str, Any],
        key: str,
        asker: str = "",
        limits: Limits | None = None,
        expected: float | None = None,
    ) -> Job:
        """Queue an experiment, unless it is queued or running, and return its job.

        Where its result is stored, the job only draws what is missing of it, and stays whose it was.

        Args:
            experiment: The experiment as plain values.
            key: Its key.
            asker: Digest that names who asks; the queue is fair among askers.
            limits: What one asker may ask for.
            expected: Seconds that it took elsewhere, where no run like it was finished here.

        Raises:
            TooManyRuns: It is beyond the limits.
        """
        self.store.check_writable()
        stored = self.store.has_result(key)
        known = 0 if stored else sum(stage.seconds for stage in Timelines(self.store).of(experiment, expected))
        values = (
            key,
            sealed(key, experiment),
            time.time(),
            sealed_rows(key, []),
            moment(known) if known else None,
        )

        def queue(database: sqlite3.Connection) -> None:
            if database.execute(f"select 1 from jobs where key = ? and {_ACTIVE}", (key,)).fetchone() is None:
                if limits is not None:
                    limits.count(database, asker)
                before = database.execute("select asker from jobs where key = ?", (key,)).fetchone()
                whose = before["asker"] if stored and before is not None else asker
                database.execute(_REMOVE, (key,))
                columns = "key, experiment, asked, curve, expected, asker, state"
                database.execute(f"insert into jobs ({columns}) values (?, ?, ?, ?, ?, ?, 'queued')", (*values, whose))

        for _ in range(2):
            self._file.change(queue)
            self.tend()
            if (job := self.find(key)) is not None:
                return job
        raise StoreError(f"The job {key} vanished from the queue.")

    def note(self, experiment: Mapping[str, Any], key: str, started: float) -> None:
        """List a run of the command line, which needed no queue and is done.

        Args:
            experiment: The experiment as plain values.
            key: Its key.
            started: When it began, seconds since 1970.
        """
        values = (key, sealed(key, experiment), started, started, time.time(), sealed_rows(key, []), COMMAND_LINE)

        def listed(database: sqlite3.Connection) -> None:
            database.execute(_REMOVE, (key,))
            if database.execute("select 1 from jobs where key = ?", (key,)).fetchone() is None:
                columns = "key, experiment, asked, started, ended, curve, asker, state"
                database.execute(f"insert into jobs ({columns}) values (?, ?, ?, ?, ?, ?, ?, 'done')", values)

        self._file.change(listed)

    def find(self, key: str) -> Job | None:
        """Return one job, or None."""
        jobs = with_waits(self._file.jobs_leniently(_WITH_WHAT_IT_WAITS_FOR, key=key), self.capacity)
        return next((job for job in jobs if job.key == key), None)

    def all(self) -> list[Job]:
        """Return all jobs, the latest queued first."""
        return with_waits(self._file.jobs_leniently(), self.capacity)

    def lost(self) -> Path | None:
        """Return the folder of a damaged queue that was set aside within the last day, or None."""
        for folder in self._file.set_aside():
            with suppress(OSError):
                if abs(time.time() - folder.stat().st_mtime) < _RECENT:
                    return folder
        return None

    def cancel(self, key: str) -> None:
        """Stop a job; finished work is kept, and a job whose result is stored is done.

        A process in another container cannot be killed from here; it ends by itself within seconds.
        """
        if not self._file.exists():
            return

        def cancelled(database: sqlite3.Connection) -> str:
            row = database.execute("select token from jobs where key = ? and state = 'running'", (key,)).fetchone()
            database.execute(
                f"update jobs set state = ?, ended = ? where key = ? and {_ACTIVE}",
                ("done" if self.store.has_result(key) else "cancelled", time.time(), key),
            )
            return "" if row is None else str(row["token"])

        if token := self._file.change(cancelled):
            sessions.end(token)
        self.tend()

    def forget(self, key: str) -> None:
        """Remove an ended job from the list."""
        if self._file.exists():
            self._file.change(lambda database: database.execute(_REMOVE, (key,)))

    def tend(self) -> None:
        """Requeue jobs whose process died, and start waiting jobs in free slots.

        Many pages call this every second, so it writes only when there is something to change.
        """
        active = self._file.jobs_leniently(_ACTIVE)
        running = [job for job in active if job.state == "running"]
        startable = self.capacity.grant([job.places for job in running], len(active) - len(running))
        if startable or not all(self._is_alive(job.token) for job in running):
            self._file.change(self._tend)

    def claim(self, key: str, token: str) -> Job:
        """Return a job, to the process that was started for it.

        Raises:
            RunCancelled: The job was cancelled or given to another process.
            StoreError: The queue cannot be used.
        """
        # The starter of this process may not have committed yet; a change waits for that, a read would not.
        statement = "select * from jobs where key = ? and token = ? and state = 'running'"
        claimed = self._file.change(lambda database: jobs_of(database.execute(statement, (key, token)).fetchall()))
        if not claimed:
            raise RunCancelled(f"The job {key} was cancelled or given to another process.")
        return claimed[0]

    def is_claimed(self, key: str, token: str) -> bool:
        """Tell whether the process of a token may still run a job; True where the queue cannot be read."""
        try:
            return bool(self._file.jobs("key = :key and token = :token and state = 'running'", key=key, token=token))
        except StoreError:
            return True

    def finish(self, key: str, token: str, state: State, message: str = "") -> bool:
        """Record how a running job ended; return whether the process of the token was allowed to."""
        ended = {"state": state, "message": message, "ended": time.time()}
        return self.update(key, token, curve=sealed_rows(key, []), **ended)

    def update(self, key: str, token: str, **values: Any) -> bool:
        """Write columns of a running job; return whether the process of the token was allowed to."""
        columns = ", ".join(f"{name} = ?" for name in values)
        statement = f"update jobs set {columns} where key = ? and token = ? and state = 'running'"
        written = (*(_encodable(value) for value in values.values()), key, token)
        return self._file.change(lambda database: database.execute(statement, written).rowcount > 0)

    def _tend(self, database: sqlite3.Connection) -> None:
        running = database.execute("select * from jobs where state = 'running'").fetchall()
        jobs_of(running)
        dead = [row for row in running if not self._is_alive(row["token"])]
        for row in dead:
            sessions.end(row["token"])
            self._requeue(database, row)
        self._clear_locks({row["token"] for row in running if row not in dead})
        jobs = jobs_of(database.execute("select * from jobs where state in ('queued', 'running')").fetchall())
        places_in_use, waiting = [job.places for job in jobs if job.state == "running"], in_turn(jobs)
        while places := self.capacity.grant(places_in_use, len(waiting)):
            places_in_use.append(places)
            key, token = waiting.pop(0).key, secrets.token_hex(8)
            self._start(key, token)
            database.execute(
                """
                update jobs set state = 'running', started = ?, token = ?, places = ?, stage = ?, done = 0,
                total = 0, ends = null, share = 0 where key = ?
                """,
                (time.time(), token, places, STARTING, key),
            )

    def _requeue(self, database: sqlite3.Connection, row: sqlite3.Row) -> None:
        if row["attempts"] + 1 >= _ATTEMPTS:
            message = (
                f"Its process died {_ATTEMPTS} times without finishing anything. Its log is {self.log(row['key'])}."
            )
            database.execute(
                "update jobs set state = ?, ended = ?, message = ? where key = ?",
                ("done" if self.store.has_result(row["key"]) else "failed", time.time(), message, row["key"]),
            )
            return
        database.execute("update jobs set state = 'queued', attempts = attempts + 1 where key = ?", (row["key"],))

    def _start(self, key: str, token: str) -> None:
        """Start the process of a job."""
        self._launch([sys.executable, "-m", "core.jobs.worker", key, token], key, token)

    def _launch(self, command: list[str], key: str, token: str) -> subprocess.Popen[bytes]:
        log = self.log(key)
        with writing(self.store.root):
            for folder in (log.parent, self._locks):
                folder.mkdir(parents=True, exist_ok=True)
            return sessions.start(
                command,
                token,
                environment={"TELLTALE_HOME": str(self.store.root.absolute())},
                folder=Path(__file__).resolve().parents[2],
                log=log,
                lock=self._locks / token,
            )

    def _is_alive(self, token: object) -> bool:
        valid = isinstance(token, str) and re.fullmatch(r"[0-9a-f]{16}", token) is not None
        return valid and sessions.is_alive(self._locks / str(token))

    def _clear_locks(self, alive: set[str]) -> None:
        """Remove the lock files of ended runs; new ones appear only while the queue is changed, as it is now."""
        with writing(self.store.root):
            for path in self._locks.glob("*"):
                if path.name not in alive:
                    path.unlink(missing_ok=True)

    def log(self, key: str) -> Path:
        """Return the file with the output of a run's process."""
        return self.store.root / "logs" / f"{key}.txt"

    @property
    def _locks(self) -> Path:
        return self.store.root / "run-locks"

    @property
    def _file(self) -> QueueFile:
        return QueueFile(self.store)


def _encodable(value: Any) -> Any:
    """Return a text that UTF-8 can encode; file names may hold bytes of another encoding."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
