"""The rows of one room, in a transaction: read, checked, entered and deleted."""

import sqlite3

from core.errors import RoomRefused
from dashboard.room import codes
from dashboard.room.rooms_file import Person, Room, Stage, oldest, person_of, room_of, stage_of

_DRAWS = 20
"""Attempts to draw a free code."""
MINUTES = 10
"""Minutes that a run of a participant may take where no facilitator has said otherwise."""
_BELOW = ("stages", "people", "votes", "sizes")
"""Tables with rows of a room."""


class Unknown(Exception):
    """No room has a code."""


def room(database: sqlite3.Connection, code: str) -> Room:
    """Return a room that lasts.

    Raises:
        Unknown: No room has the code.
    """
    row = database.execute("select * from rooms where code = ? and created > ?", (code, oldest())).fetchone()
    if row is None:
        raise Unknown
    return room_of(row)


def free_code(database: sqlite3.Connection) -> str:
    """Return a code that no room has.

    Raises:
        RoomRefused: Every drawn code is taken.
    """
    for _ in range(_DRAWS):
        code = codes.drawn()
        if database.execute("select 1 from rooms where code = ?", (code,)).fetchone() is None:
            return code
    raise RoomRefused(f"Each of {_DRAWS} drawn codes is that of another room. Start the room again.")


def stage(database: sqlite3.Connection, code: str, step: int) -> Stage:
    """Return the state of a step of a room."""
    row = database.execute("select * from stages where room = ? and step = ?", (code, step)).fetchone()
    return Stage() if row is None else stage_of(row)


def person(database: sqlite3.Connection, code: str, visitor: str) -> Person | None:
    """Return a visitor as somebody in a room, or None."""
    row = database.execute("select * from people where room = ? and visitor = ?", (code, visitor)).fetchone()
    return None if row is None else person_of(row)


def minutes(database: sqlite3.Connection, code: str) -> int:
    """Return how many minutes a run of a participant may take; a file of an earlier version does not say."""
    if database.execute("select 1 from sqlite_master where name = 'sizes'").fetchone() is None:
        return MINUTES
    row = database.execute("select minutes from sizes where room = ?", (code,)).fetchone()
    return MINUTES if row is None else int(row["minutes"])


def started(database: sqlite3.Connection, visitor: str) -> int:
    """Return how many rooms that last a visitor has started."""
    statement = """
        select count(*) from people join rooms on room = code
        where visitor = ? and role = 'facilitator' and joined = created and created > ?
    """
    return int(database.execute(statement, (visitor, oldest())).fetchone()[0])


def enter(database: sqlite3.Connection, code: str, somebody: Person) -> None:
    """Let somebody in."""
    values = code, somebody.visitor, somebody.role, somebody.nickname, somebody.joined, somebody.step
    database.execute("insert into people values (?, ?, ?, ?, ?, ?)", values)


def leave(database: sqlite3.Connection, code: str, visitor: str) -> None:
    """Remove somebody, with their predictions."""
    for table in ("people", "votes"):
        database.execute(f"delete from {table} where room = ? and visitor = ?", (code, visitor))


def check_secret(database: sqlite3.Connection, code: str, secret: str) -> None:
    """Refuse a secret that is not the newest of its room."""
    room(database, code)
    statement = "select 1 from rooms where code = ? and secret = ?"
    if database.execute(statement, (code, codes.digest(secret))).fetchone() is None:
        raise RoomRefused(f"This link does not lead the room {code} any more. Ask for its newest one.")


def check_leads(database: sqlite3.Connection, code: str, visitor: str) -> None:
    """Refuse a visitor who is no facilitator of a room."""
    room(database, code)
    if (asker := person(database, code, visitor)) is None or asker.role != "facilitator":
        raise RoomRefused(f"Only the facilitators of the room {code} may do that. Open its secret link first.")


def delete(database: sqlite3.Connection, code: str) -> None:
    """Delete a room, and overwrite its rows in the file."""
    database.execute("pragma secure_delete = on")
    database.execute("delete from rooms where code = ?", (code,))
    for table in _BELOW:
        database.execute(f"delete from {table} where room = ?", (code,))
