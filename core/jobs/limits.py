"""How many runs one visitor may ask for."""

import sqlite3
import time
from dataclasses import dataclass

from core.errors import TooManyRuns
from core.runtime.environment import whole_number

A_MINUTE, WAITING = "TELLTALE_RUNS_A_MINUTE", "TELLTALE_RUNS_WAITING"
_MOST = 100_000


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

    def check(self, database: sqlite3.Connection, asker: str) -> None:
        """Refuse one more run of an asker.

        Raises:
            TooManyRuns: It would be beyond a limit.
        """
        rows = database.execute("select asked, state from jobs where asker = ?", (asker,)).fetchall()
        if sum(row["state"] == "queued" for row in rows) >= self.waiting:
            raise TooManyRuns(
                f"At most {_runs(self.waiting)} of one visitor may wait at once. Cancel one on the page Runs, or wait."
            )
        now = time.time()
        recent = sorted(row["asked"] for row in rows if 0 <= now - row["asked"] < 60)
        if len(recent) >= self.a_minute:
            seconds = int(recent[-self.a_minute] + 60 - now) + 1
            raise TooManyRuns(
                f"At most {_runs(self.a_minute)} of one visitor may be started within a minute. Try again in "
                f"{seconds} s."
            )


def _runs(number: int) -> str:
    return "1 run" if number == 1 else f"{number:,} runs"
