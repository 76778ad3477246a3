"""Starts, finds, joins, steers and deletes rooms; every function commits its change before it returns."""

import math
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar, Unpack

from core.errors import RoomRefused
from core.runtime.store import Store
from dashboard.room import codes, rows
from dashboard.room.nicknames import tidied
from dashboard.room.rooms_file import (
    DAYS,
    Person,
    Room,
    RoomsFile,
    Stage,
    StageChanges,
    Standing,
    Value,
    Vote,
    oldest,
    person_of,
    room_of,
    row_of,
    vote_of,
)

MOST_ROOMS, MOST_PEOPLE, MOST_RUNS = 200, 500, 20
"""Rooms of one server, people in a room, and runs that a participant may have waiting."""
MOST_MINUTES = 600
"""Minutes that a run of a participant may take at most."""
MOST_OF_ONE = 10
"""Rooms that one visitor may have started, where anybody may start them."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Rooms:
    """The rooms of a store, shared by every process that opens it.

    Methods raise `RoomRefused` where there is no such room, or where it refuses; `StoreError` where its file cannot
    be used.

    Attributes:
        store: Holds them.
    """

    store: Store

    def start(self, lesson: str, visitor: str, most: int = MOST_ROOMS) -> tuple[Room, str]:
        """Start a room; return it with the secret that makes others its facilitators.

        Args:
            lesson: Name of the lesson.
            visitor: Digest of its first facilitator.
            most: Rooms that this visitor may have started.
        """
        self.expire()
        secret, now = codes.secret(), time.time()

        def started(database: sqlite3.Connection) -> Room:
            if database.execute("select count(*) from rooms").fetchone()[0] >= MOST_ROOMS:
                raise RoomRefused(
                    f"This server takes {MOST_ROOMS} rooms, and has as many. Delete one; each lasts {DAYS} days."
                )
            if rows.started(database, visitor) >= most:
                raise RoomRefused(
                    f"One visitor may have {most} rooms at a time, and you have as many. Delete one of those that "
                    f"the page of rooms lists; each lasts {DAYS} days."
                )
            code = rows.free_code(database)
            columns = "insert into rooms (code, lesson, secret, created) values (?, ?, ?, ?)"
            database.execute(columns, (code, lesson, codes.digest(secret), now))
            rows.enter(database, code, Person(visitor, "facilitator", "", now, 0))
            return rows.room(database, code)

        return self._file.change(started), secret

    def find(self, typed: str) -> Room:
        """Return the room that a code names."""
        code = codes.normal(typed)
        return self._read(lambda database: rows.room(database, code), codes.as_typed(typed))

    def led(self, visitor: str) -> list[Room]:
        """Return the rooms that a visitor leads, the latest first."""
        statement = """
            select rooms.* from people join rooms on room = code
            where visitor = ? and role = 'facilitator' and created > ? order by created desc
        """
        none: list[Room] = []
        values = visitor, oldest()
        return self._file.read(lambda database: [room_of(row) for row in database.execute(statement, values)], none)

    def standing(self, code: str, step: int) -> Standing:
        """Return what changes of a room while a step is open; one indexed read, where the file has not changed."""
        votes = "select count(*) from votes where room = code and step = :step"
        here = "select count(*) from people where room = code and step = :step and role = 'participant'"
        statement = f"select revision, people, ({votes}), ({here}) from rooms where code = :code"

        def counts(database: sqlite3.Connection) -> Standing:
            row = database.execute(statement, {"code": code, "step": step}).fetchone()
            return Standing() if row is None else Standing(*map(int, row))

        return self._file.read(counts, Standing())

    def stage(self, code: str, step: int) -> Stage:
        """Return the state of a step of a room."""
        return self._read(lambda database: rows.stage(database, code, step), code)

    def person(self, code: str, visitor: str) -> Person | None:
        """Return a visitor as somebody in a room, or None."""
        return self._read(lambda database: rows.person(database, code, visitor), code)

    def people(self, code: str) -> list[Person]:
        """Return who is in a room, in the order in which they came."""
        statement = "select * from people where room = ? order by joined, visitor"
        return self._read(lambda database: [person_of(row) for row in database.execute(statement, (code,))], code)

    def votes(self, code: str, visitor: str | None = None) -> list[Vote]:
        """Return the votes of a room, or of one of its people, by step and in the order in which they came."""
        statement = "select * from votes where room = ? and ? in (visitor, '') order by step, moment, visitor"
        values = code, visitor or ""
        return self._read(lambda database: [vote_of(row) for row in database.execute(statement, values)], code)

    def join(self, code: str, visitor: str, nickname: str = "") -> None:
        """Let a visitor in as a participant; do nothing if they are in already."""
        person = Person(visitor, "participant", tidied(nickname), time.time(), 0)

        def joined(database: sqlite3.Connection) -> None:
            room = rows.room(database, code)
            if rows.person(database, code, visitor) is not None:
                return
            if room.people >= MOST_PEOPLE:
                raise RoomRefused(f"The room {code} has {MOST_PEOPLE} people, its most.")
            rows.enter(database, code, person)
            database.execute("update rooms set people = people + 1 where code = ?", (code,))

        self._change(joined, code)

    def check_secret(self, code: str, secret: str) -> None:
        """Refuse a secret that is not the newest of its room."""
        self._read(lambda database: rows.check_secret(database, code, secret), code)

    def admit(self, code: str, secret: str, visitor: str) -> None:
        """Make a visitor who has the secret a facilitator, and drop what they predicted as a participant."""

        def admitted(database: sqlite3.Connection) -> None:
            rows.check_secret(database, code, secret)
            before = rows.person(database, code, visitor)
            if before is not None and before.role == "facilitator":
                return
            if before is not None:
                rows.leave(database, code, visitor)
                changed = "update rooms set people = people - 1, revision = revision + 1 where code = ?"
                database.execute(changed, (code,))
            rows.enter(database, code, Person(visitor, "facilitator", "", time.time(), 0))

        self._change(admitted, code)

    def renew(self, code: str, visitor: str) -> str:
        """Return a new secret of a room; links with an older one no longer work."""
        secret = codes.secret()
        self._steer(code, visitor, "update rooms set secret = ? where code = ?", codes.digest(secret), code)
        return secret

    def go(self, code: str, visitor: str, step: int) -> None:
        """Open a step for everybody."""
        self._steer(code, visitor, "update rooms set step = ? where code = ?", step, code)

    def minutes(self, code: str) -> int:
        """Return how many minutes a run of a participant may take."""
        return self._read(lambda database: rows.minutes(database, code), code)

    def allow_ahead(self, code: str, visitor: str, *, ahead: bool) -> None:
        """Say whether participants may vote on later steps."""
        self._steer(code, visitor, "update rooms set ahead = ? where code = ?", int(ahead), code)

    def allow_runs(self, code: str, visitor: str, runs: int) -> None:
        """Say how many runs each participant may have waiting."""
        bounded = min(max(runs, 1), MOST_RUNS)
        self._steer(code, visitor, "update rooms set runs = ? where code = ?", bounded, code)

    def allow_minutes(self, code: str, visitor: str, minutes: int) -> None:
        """Say how many minutes a run of a participant may take."""
        bounded = min(max(minutes, 1), MOST_MINUTES)
        self._steer(code, visitor, "insert or replace into sizes values (?, ?)", code, bounded)

    def change_stage(self, code: str, visitor: str, step: int, **changes: Unpack[StageChanges]) -> None:
        """Lock, reveal or show a step, or set its timer; nothing else of it changes, whoever steers it meanwhile."""
        columns = ", ".join(["room", "step", *changes])
        marks = ", ".join("?" * (2 + len(changes)))
        taken = ", ".join(f"{name} = excluded.{name}" for name in changes)
        statement = f"insert into stages ({columns}) values ({marks}) on conflict (room, step) do update set {taken}"
        self._steer(code, visitor, statement, code, step, *changes.values())

    def follow(self, code: str, visitor: str, step: int) -> None:
        """Note which step the screen of a participant shows."""
        statement = "update people set step = ? where room = ? and visitor = ?"
        self._file.change(lambda database: database.execute(statement, (step, code, visitor)))

    def vote(self, code: str, step: int, visitor: str, value: Value) -> Value:
        """Store a prediction unless there is one already; return the stored one, once it is on the disk."""
        if isinstance(value, float) and not math.isfinite(value):
            raise RoomRefused("A prediction must be a finite number.")

        def voted(database: sqlite3.Connection) -> Value:
            room = rows.room(database, code)
            if (person := rows.person(database, code, visitor)) is None or person.role != "participant":
                raise RoomRefused(f"Only participants of the room {code} predict. Join it first.")
            statement = "select * from votes where room = ? and step = ? and visitor = ?"
            if (row := database.execute(statement, (code, step, visitor)).fetchone()) is not None:
                return vote_of(row).value
            if step > room.step and not room.ahead:
                raise RoomRefused(f"Step {step} is not open yet; the room {code} is at step {room.step}.")
            if rows.stage(database, code, step).is_closed(time.time()):
                raise RoomRefused(f"Step {step} was locked before your prediction came, so it is not counted.")
            values = row_of(code, Vote(step, visitor, value, time.time()))
            database.execute("insert into votes values (?, ?, ?, ?, ?)", values)
            return value

        return self._change(voted, code)

    def delete(self, code: str, visitor: str) -> None:
        """Delete a room with its people and votes."""

        def deleted(database: sqlite3.Connection) -> None:
            rows.check_leads(database, code, visitor)
            rows.delete(database, code)

        self._change(deleted, code)

    def expire(self) -> None:
        """Delete rooms older than their days, and damaged files as old."""
        late = "select code from rooms where created <= ?"
        for folder in self._file.set_aside():
            with suppress(OSError):
                if folder.stat().st_mtime <= oldest():
                    shutil.rmtree(folder)
        none: list[str] = []
        for code in self._file.read(lambda database: [row[0] for row in database.execute(late, (oldest(),))], none):
            self._file.change(partial(rows.delete, code=code))

    def lost(self) -> Path | None:
        """Return a folder of a damaged file that was set aside, or None; `expire` removes it with its rooms."""
        return next(iter(self._file.set_aside()), None)

    def _steer(self, code: str, visitor: str, statement: str, *values: object) -> None:
        """Change a room on behalf of one of its facilitators."""

        def steered(database: sqlite3.Connection) -> None:
            rows.check_leads(database, code, visitor)
            database.execute(statement, values)
            database.execute("update rooms set revision = revision + 1 where code = ?", (code,))

        self._change(steered, code)

    def _read(self, action: Callable[[sqlite3.Connection], _T], code: str) -> _T:
        try:
            result = self._file.read(lambda database: (action(database),), None)
        except rows.Unknown:
            result = None
        if result is None:
            raise self._unknown(code)
        return result[0]

    def _change(self, action: Callable[[sqlite3.Connection], _T], code: str) -> _T:
        try:
            return self._file.change(action)
        except rows.Unknown:
            raise self._unknown(code) from None

    def _unknown(self, code: str) -> RoomRefused:
        if (folder := self.lost()) is not None:
            return RoomRefused(
                f"No room has the code {code}. The rooms were damaged and moved to {folder}; start anew."
            )
        return RoomRefused(
            f"No room has the code {code}: it was deleted, or is older than {DAYS} days, or the code was mistyped. Ask "
            "who leads the workshop."
        )

    @property
    def _file(self) -> RoomsFile:
        return RoomsFile(self.store)
