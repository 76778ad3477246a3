"""The file of all rooms: its tables, and their rows as typed records."""

import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypedDict, TypeVar, get_args

from core.runtime.database_checks import Unreadable
from core.runtime.sealed_rows import Seals
from core.runtime.sealed_text import opened, sealed
from core.runtime.shared_file import SharedFile

Role = Literal["facilitator", "participant"]
Value = float | str | tuple[bool, ...]
"""A prediction: a number, the name of an option, or for each item whether it is a member."""
DAYS = 14
"""How long a room lasts."""

_ROOMS = """
create table rooms (
    code text primary key not null, lesson text not null, secret text not null, created real not null,
    step integer not null default 0, ahead integer not null default 0, runs integer not null default 2,
    revision integer not null default 0, people integer not null default 0
)
"""
_STAGES = """
create table stages (
    room text not null, step integer not null, is_locked integer not null default 0,
    is_revealed integer not null default 0, is_shown integer not null default 0, ends real, primary key (room, step)
)
"""
_PEOPLE = """
create table people (
    room text not null, visitor text not null, role text not null, nickname text not null, joined real not null,
    step integer not null default 0, primary key (room, visitor)
)
"""
_VOTES = """
create table votes (
    room text not null, step integer not null, visitor text not null, value text not null, moment real not null,
    primary key (room, step, visitor)
)
"""
_SIZES = "create table if not exists sizes (room text primary key not null, minutes integer not null) without rowid"
_INDEX = "create index people_by_visitor on people (visitor)"
_T = TypeVar("_T")


@dataclass(frozen=True)
class Room:
    """The state of a room.

    Attributes:
        code: Its code.
        lesson: Name of the lesson.
        created: When it was started, seconds since 1970.
        step: The step that is open; 0 before the first, one more than there are after the last.
        ahead: Whether participants may vote on later steps.
        runs: Runs that each participant may have waiting.
        revision: Counts the actions of its facilitators.
        people: Participants.
    """

    code: str
    lesson: str
    created: float
    step: int
    ahead: bool
    runs: int
    revision: int
    people: int


@dataclass(frozen=True)
class Stage:
    """The state of one step of a room.

    Attributes:
        is_locked: Whether a facilitator locked it.
        is_revealed: Whether what was measured is shown.
        is_shown: Whether the predictions are shown before the reveal.
        ends: When the time for predictions is up, seconds since 1970, or None without a timer.
    """

    is_locked: bool = False
    is_revealed: bool = False
    is_shown: bool = False
    ends: float | None = None

    def is_closed(self, now: float) -> bool:
        """Tell whether predictions are refused from now on."""
        return self.is_locked or self.is_revealed or (self.ends is not None and now >= self.ends)


class StageChanges(TypedDict, total=False):
    """What changes of a `Stage`; the rest of it stays."""

    is_locked: bool
    is_revealed: bool
    is_shown: bool
    ends: float | None


@dataclass(frozen=True)
class Person:
    """Somebody in a room.

    Attributes:
        visitor: Digest that names the browser, or the person who logged in.
        role: Facilitator or participant.
        nickname: Nickname, or empty.
        joined: When they joined, seconds since 1970.
        step: The last step that their screen showed.
    """

    visitor: str
    role: Role
    nickname: str
    joined: float
    step: int


@dataclass(frozen=True)
class Vote:
    """A prediction that was locked.

    Attributes:
        step: Number of the step.
        visitor: Digest of the participant.
        value: What they predicted.
        moment: When they locked it, seconds since 1970.
    """

    step: int
    visitor: str
    value: Value
    moment: float


class Standing(NamedTuple):
    """What changes of a room while a step is open.

    Attributes:
        revision: Counts the actions of its facilitators; -1 where there is no such room.
        people: Participants.
        votes: Votes on the step.
        here: Participants whose screens show the step.
    """

    revision: int = -1
    people: int = 0
    votes: int = 0
    here: int = 0


@dataclass(frozen=True)
class RoomsFile(SharedFile):
    """All rooms of a store."""

    NAME: ClassVar[str] = "rooms.sqlite"
    CALLED: ClassVar[str] = "rooms"
    TABLES: ClassVar[tuple[str, ...]] = (_ROOMS, _STAGES, _PEOPLE, _VOTES, _INDEX)
    ADDED: ClassVar[Mapping[str, str]] = {"sizes": _SIZES}
    SEALS: ClassVar[Seals] = Seals.of((*TABLES, _SIZES), ("rooms", "stages", "people", "sizes"))
    CHECKED_WHEN_READ: ClassVar[bool] = True

    def check_rows(self, database: sqlite3.Connection) -> None:
        """Refuse a file with a row that nobody wrote."""
        for table, read in (("rooms", room_of), ("stages", stage_of), ("people", person_of), ("votes", vote_of)):
            for row in database.execute(f"select * from {table}"):
                read(row)


def oldest() -> float:
    """Return the earliest start, in seconds since 1970, of a room that still lasts."""
    return time.time() - DAYS * 86_400


def room_of(row: sqlite3.Row) -> Room:
    """Return a row of the table of rooms."""
    code, lesson = (_of(row, name, str) for name in ("code", "lesson"))
    step, ahead, runs, revision, people = (
        _of(row, name, int) for name in ("step", "ahead", "runs", "revision", "people")
    )
    return Room(code, lesson, _of(row, "created", float), step, bool(ahead), runs, revision, people)


def stage_of(row: sqlite3.Row) -> Stage:
    """Return a row of the table of stages."""
    is_locked, is_revealed, is_shown = (bool(_of(row, f"is_{name}", int)) for name in ("locked", "revealed", "shown"))
    return Stage(is_locked, is_revealed, is_shown, None if row["ends"] is None else _of(row, "ends", float))


def person_of(row: sqlite3.Row) -> Person:
    """Return a row of the table of people."""
    if (role_name := _of(row, "role", str)) not in get_args(Role):
        raise Unreadable(f"{role_name!r} is no role in a room.")
    role: Role = "facilitator" if role_name == "facilitator" else "participant"
    visitor, nickname = (_of(row, name, str) for name in ("visitor", "nickname"))
    return Person(visitor, role, nickname, _of(row, "joined", float), _of(row, "step", int))


def vote_of(row: sqlite3.Row) -> Vote:
    """Return a row of the table of votes; an earlier version did not seal the moment."""
    code, visitor = (_of(row, name, str) for name in ("room", "visitor"))
    step, moment = _of(row, "step", int), _of(row, "moment", float)
    try:
        value = opened(_owner(code, step, visitor, moment), row["value"])
    except (ValueError, TypeError):
        try:
            value = opened(_owner(code, step, visitor), row["value"])
        except (ValueError, TypeError) as error:
            raise Unreadable(str(error)) from error
    return Vote(step, visitor, _prediction(value), moment)


def row_of(code: str, vote: Vote) -> tuple[str, int, str, str, float]:
    """Return a vote in a room as a row of the table of votes."""
    value = sealed(_owner(code, vote.step, vote.visitor, vote.moment), vote.value)
    return code, vote.step, vote.visitor, value, vote.moment


def values_of(votes: Sequence[Vote], step: int) -> tuple[Value, ...]:
    """Return the predictions of a step, in the order in which they came."""
    return tuple(vote.value for vote in votes if vote.step == step)


def _owner(code: str, step: int, visitor: str, *moment: float) -> str:
    return " ".join(map(str, (code, step, visitor, *moment)))


def _prediction(value: object) -> Value:
    if isinstance(value, list) and all(isinstance(item, bool) for item in value):
        return tuple(value)
    if isinstance(value, str | float):
        return value
    raise Unreadable(f"{value!r:.40} is no prediction.")


def _of(row: sqlite3.Row, name: str, kind: type[_T]) -> _T:
    value: Any = row[name]
    if not isinstance(value, kind):
        raise Unreadable(f"{name} holds {value!r:.40}.")
    return value
