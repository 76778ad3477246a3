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

    def jobs(self, condition: str, **values: str) -> list[Job]:
        """Return the jobs that meet a condition in SQL, as they are now; none where there is no queue."""
        return self.read(lambda database: _selected(database, condition, values), [])

    def jobs_leniently(self, condition: str = "true", **values: str) -> list[Job]:
        """Return jobs that can be read, the latest queued first.

        The list may lag behind where the disk is full or cannot be written.

        Args:
            condition: SQL that they meet.
            **values: What stands in it as ``:name``.
        """
        return self.read_leniently(lambda database: _selected(database, condition, values), [])

    def check_rows(self, database: sqlite3.Connection) -> None:
        """Refuse a queue with a row that is no job."""
        _selected(database, "true", {})


def _selected(database: sqlite3.Connection, condition: str, values: Mapping[str, str]) -> list[Job]:
    statement = f"select * from jobs where {condition} order by asked desc"
    return jobs_of(database.execute(statement, values).fetchall())
