"""How many runs one visitor may ask for."""

import sqlite3
import time
from dataclasses import dataclass

from core.errors import TooManyRuns
from core.runtime.environment import whole_number

ASKS = "create table if not exists asks (asker text not null, moment real not null)"
"""Requests of the last minute, by asker; jobs may be requested again, and removed, meanwhile."""
A_MINUTE, WAITING = "TELLTALE_RUNS_A_MINUTE", "TELLTALE_RUNS_WAITING"
_MOST = 100_000
_MINUTE = 60


@dataclass(frozen=True)
class Limits:
    """The most runs that one visitor may ask for.

    Attributes:
        a_minute: Runs asked for within a minute.
        waiting: Runs that wait at once.
    """

    a_minute: int = 20
    waiting: int = 20

    @classmethod
    def configured(cls) -> "Limits":
        """Return the limits that the environment sets.

        Raises:
            InvalidSpec: A variable holds no number of runs.
        """
        return cls(
            whole_number(A_MINUTE, cls.a_minute, _MOST, "runs"), whole_number(WAITING, cls.waiting, _MOST, "runs")
        )

    def count(self, database: sqlite3.Connection, asker: str) -> None:
        """Count one more run of an asker, or refuse it.

        Raises:
            TooManyRuns: It would be beyond a limit.
        """
        waiting = "select count(*) from jobs where asker = ? and state = 'queued'"
        if database.execute(waiting, (asker,)).fetchone()[0] >= self.waiting:
            raise TooManyRuns(
                f"At most {_runs(self.waiting)} of one visitor may wait at once. Cancel one on the page Runs, or wait."
            )
        now = time.time()
        database.execute("delete from asks where not (moment > ? and moment <= ?)", (now - _MINUTE, now))
        rows = database.execute("select moment from asks where asker = ? order by moment desc", (asker,)).fetchall()
        if len(rows) >= self.a_minute:
            seconds = int(rows[self.a_minute - 1]["moment"] + _MINUTE - now) + 1
            raise TooManyRuns(
                f"At most {_runs(self.a_minute)} of one visitor may be started within a minute. Try again in "
                f"{seconds} s."
            )
        database.execute("insert into asks values (?, ?)", (asker, now))


def _runs(number: int) -> str:
    return "1 run" if number == 1 else f"{number:,} runs"
