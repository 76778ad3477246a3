"""The file of the queue: what it declares, and the jobs in it."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from core.jobs.job import TABLE, Job, jobs_of
from core.jobs.limits import ASKS
from core.runtime.sealed_rows import Seals
from core.runtime.shared_file import SharedFile


@dataclass(frozen=True)
class QueueFile(SharedFile):
    """The queue of a store."""

    NAME: ClassVar[str] = "jobs.sqlite"
    CALLED: ClassVar[str] = "queue"
    TABLES: ClassVar[tuple[str, ...]] = (TABLE,)
    ADDED: ClassVar[Mapping[str, str]] = {"asks": ASKS}
    SEALS: ClassVar[Seals] = Seals.of((TABLE, ASKS), ("jobs", "asks"))
    CHECKED_WHEN_READ: ClassVar[bool] = True

    def jobs(self) -> list[Job]:
        """Return all jobs as they are now, the latest queued first; none where there is no queue."""
        return self.read(_all, [])

    def jobs_leniently(self) -> list[Job]:
        """Return the jobs that can be read; the list may lag behind where the disk is full or cannot be written."""
        return self.read_leniently(_all, [])

    def check_rows(self, database: sqlite3.Connection) -> None:
        """Refuse a queue with a row that is no job."""
        _all(database)


def _all(database: sqlite3.Connection) -> list[Job]:
    return jobs_of(database.execute("select * from jobs order by asked desc").fetchall())
