"""A run as the queue keeps it and as anyone may see it."""

import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

State = Literal["queued", "running", "done", "failed", "cancelled"]
TABLE = """
create table jobs (
    key text not null, experiment text not null, state text not null, asked real not null, started real, ended real,
    token text not null default '', attempts integer not null default 0, stage text not null default '',
    done integer not null default 0, total integer not null default 0, resumed integer not null default 0,
    stage_began real, curve text not null, message text not null default ''
)
"""
_LATEST = 253_402_300_800.0
"""The year 10000, seconds since 1970: no calendar reads what lies beyond."""
_T = TypeVar("_T")


class Unreadable(Exception):
    """What the queue holds is no job."""


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
        token: Names the only process that may write this job; empty before the first start.
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

    @property
    def active(self) -> bool:
        """Tell whether it waits or runs."""
        return self.state in ("queued", "running")


def sealed(key: str, value: object) -> str:
    """Return plain JSON behind a digest of it and of the key: SQLite does not notice a bit that flips inside a text."""
    text = json.dumps(value)
    return f"{_digest(key, text)} {text}"


def sealed_rows(key: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the points of a curve the same way, with null for what JSON cannot say."""
    return sealed(key, [{name: _finite(value) for name, value in row.items()} for row in rows])


def jobs_of(rows: Sequence[sqlite3.Row]) -> list[Job]:
    """Return the jobs of rows of the table.

    Raises:
        Unreadable: A row does not hold one.
    """
    try:
        waiting = sorted((row["asked"], row["key"]) for row in rows if row["state"] == "queued")
        places = {key: place for place, (_, key) in enumerate(waiting, start=1)}
        return [_job(row, places.get(row["key"], 0)) for row in rows]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _job(row: sqlite3.Row, position: int) -> Job:
    if row["state"] not in get_args(State):
        raise ValueError(f"{row['state']!r} is no state of a job.")
    done, total, resumed, _ = (_of(int, row[name]) for name in ("done", "total", "resumed", "attempts"))
    began = _optional(_moment, row["stage_began"])
    left = None
    if row["state"] == "running" and total and done > resumed and began:
        left = max(time.time() - began, 0.0) / (done - resumed) * max(total - done, 0)
    key = _of(str, row["key"])
    return Job(
        key=key,
        experiment=_of(dict, _opened(key, row["experiment"])),
        state=row["state"],
        asked=_moment(row["asked"]),
        started=_optional(_moment, row["started"]),
        ended=_optional(_moment, row["ended"]),
        stage=_of(str, row["stage"]),
        done=done,
        total=total,
        seconds_left=left,
        curve=[_of(dict, point) for point in _of(list, _opened(key, row["curve"]))],
        message=_of(str, row["message"]),
        position=position,
        token=_of(str, row["token"]),
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


def _opened(key: str, value: Any) -> Any:
    digest, _, text = _of(str, value).partition(" ")
    if digest != _digest(key, text):
        raise ValueError(f"A text of {key!r} is not the one that was written.")
    return json.loads(text)


def _digest(key: str, text: str) -> str:
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()[:16]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
