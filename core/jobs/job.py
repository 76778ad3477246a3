"""A job: its row in the queue, and its form for pages."""

import math
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

from core.runtime.database_checks import Unreadable
from core.runtime.sealed_text import opened, sealed

State = Literal["queued", "running", "done", "failed", "cancelled"]
TABLE = """
create table jobs (
    key text not null, experiment text not null, state text not null, asked real not null, started real, ended real,
    token text not null default '', attempts integer not null default 0, stage text not null default '',
    done integer not null default 0, total integer not null default 0,
    curve text not null, message text not null default '', asker text not null default '', expected real,
    places integer not null default 0, ends real, whole integer not null default 0, late integer not null default 0,
    share real not null default 0
)
"""
STARTING = "Starting"
"""Stage of a run whose process has not reported yet."""
_LATEST = 253_402_300_800.0
"""The year 10000, seconds since 1970; dates beyond cannot be shown."""
_NEARLY = 0.99
"""The most of a run that is ever shown as finished while it runs."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Job:
    """One queued run, as pages see it.

    Attributes:
        key: Key of its experiment.
        experiment: The experiment as plain values.
        state: Its state.
        asked: When it was queued, seconds since 1970.
        started: When its process began, or None.
        ended: When it ended, or None.
        stage: The current stage.
        done: Finished items of the stage.
        total: Items of the stage; 0 when they cannot be counted.
        seconds_left: Estimate for the run, or for the stage, or None before there is a reason for one.
        curve: Points of the result so far.
        message: Why it failed.
        position: Position in the queue, from 1, the same for those that start together; 0 when it is not waiting.
        token: Token of the only process that may write this job; empty before the first start.
        whole: Whether the estimate is for the whole run.
        late: Whether the run takes longer than was said or, while it waits, one before it does.
        share: Finished share of the run, or of the stage where no run like it is known; below 1 while it runs.
        asker: Digest that names who asked for it; empty where nobody is named.
        expected: Seconds that the whole run is expected to take, or None.
        places: Processes that may train for it at once.
        wait: Seconds until it is expected to start, or None when it does not wait or that is not known.
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
    token: str = ""
    whole: bool = False
    late: bool = False
    share: float = 0.0
    asker: str = ""
    expected: float | None = None
    places: int = 0
    wait: float | None = None

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("queued", "running")


def sealed_rows(key: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the points of a curve as `sealed`, with null for every number that JSON lacks."""
    return sealed(key, [{name: _finite(value) for name, value in row.items()} for row in rows])


def moment(value: float) -> float:
    """Return a moment, or a number of seconds, as it can be read again: within the years that can be shown."""
    return min(max(float(value), 0.0), _LATEST - 1.0) if math.isfinite(value) else _LATEST - 1.0


def jobs_of(rows: Sequence[sqlite3.Row]) -> list[Job]:
    """Return the jobs in rows of the table.

    Raises:
        Unreadable: A row is no valid job.
    """
    try:
        return [_job(row) for row in rows]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _job(row: sqlite3.Row) -> Job:
    if row["state"] not in get_args(State):
        raise ValueError(f"{row['state']!r} is no state of a job.")
    counts = ("done", "total", "places", "whole", "late", "attempts")
    done, total, places, whole, late, _ = (_of(int, row[name]) for name in counts)
    ends = _optional(_moment, row["ends"])
    running = row["state"] == "running"
    key = _of(str, row["key"])
    return Job(
        key=key,
        experiment=_of(dict, opened(key, row["experiment"])),
        state=row["state"],
        asked=_moment(row["asked"]),
        started=_optional(_moment, row["started"]),
        ended=_optional(_moment, row["ended"]),
        stage=_of(str, row["stage"]),
        done=done,
        total=total,
        seconds_left=max(ends - time.time(), 0.0) if running and ends is not None else None,
        curve=[_of(dict, point) for point in _of(list, opened(key, row["curve"]))],
        message=_of(str, row["message"]),
        token=_of(str, row["token"]),
        whole=bool(whole),
        late=bool(late),
        share=min(max(_of(float, row["share"]), 0.0), _NEARLY) if running else 0.0,
        asker=_of(str, row["asker"]),
        expected=_optional(_moment, row["expected"]),
        places=max(places, int(running)),
    )


def _of(kind: type[_T], value: Any) -> _T:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}.")
    return value


def _moment(value: Any) -> float:
    if not 0 <= _of(float, value) < _LATEST:
        raise ValueError(f"{value!r} is no moment.")
    return float(value)


def _optional(read: Callable[[Any], float], value: Any) -> float | None:
    return None if value is None else read(value)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
