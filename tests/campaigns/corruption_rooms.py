"""Damages the files of rooms and of predictions: what was never written is not believed, and both begin anew."""

import random
import sqlite3
from contextlib import closing
from functools import cache
from typing import Any

from core.errors import RoomRefused
from core.runtime.change_count import ENDING
from core.runtime.shared_file import SharedFile
from core.runtime.store import Store
from dashboard.room.alone import AloneFile
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import RoomsFile, Value
from tests.campaigns.damage import damaged, folder

HOST, NEW = "1" * 32, "2" * 32
PEOPLE = tuple(f"{number:032x}" for number in range(20, 32))
VALUES: tuple[Value, ...] = (0.25, "word2vec", (True, False, True))


@cache
def _room() -> tuple[Store, str, bytes, dict[str, Any]]:
    """Return a store with a room, its code, the bytes of its file, and all that it shows."""
    store = Store(root=folder("room"), shipped=folder("room") / "shipped")
    rooms = Rooms(store)
    code = rooms.start("mailbox", HOST)[0].code
    rooms.allow_ahead(code, HOST, ahead=True)
    rooms.allow_runs(code, HOST, 3)
    rooms.allow_minutes(code, HOST, 7)
    for number, visitor in enumerate(PEOPLE):
        rooms.join(code, visitor, f"nickname {number}")
        for step, value in enumerate(VALUES):
            rooms.vote(code, step, visitor, value)
    rooms.change_stage(code, HOST, 1, is_locked=True, is_revealed=True)
    rooms.go(code, HOST, 1)
    return store, code, _content(store, RoomsFile), _shown(rooms, code)


def _shown(rooms: Rooms, code: str) -> dict[str, Any]:
    return {
        "room": rooms.find(code),
        "stages": [rooms.stage(code, step) for step in range(len(VALUES))],
        "people": rooms.people(code),
        "votes": rooms.votes(code),
        "minutes": rooms.minutes(code),
    }


@cache
def _logged() -> tuple[bytes, bytes, bytes, dict[str, Any]]:
    """Return the bytes of the file, of the log that holds what was written last, of the count, and what is shown."""
    store, code, whole, _ = _room()
    _put(store, RoomsFile, whole)
    rooms, path = Rooms(store), store.root / RoomsFile.NAME
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("select * from rooms").fetchall()  # as long as somebody reads, the log stays
        for visitor in PEOPLE[:6]:
            rooms.vote(code, 0, visitor, 0.75)
        content, log, count = (path.with_name(path.name + ending).read_bytes() for ending in ("", "-wal", ENDING))
        return content, log, count, _shown(rooms, code)


def room(rng: random.Random) -> str:
    """Damage the file of rooms, look at the room, and go on with it, or with another."""
    store, _, whole, known = _room()
    _put(store, RoomsFile, damaged(whole, rng))
    return _looked_at(known)


def log(rng: random.Random) -> str:
    """Damage the log of the file of rooms, which a kill leaves; look at the room, and go on."""
    store, _, _, _ = _room()
    whole, log, count, known = _logged()
    _put(store, RoomsFile, whole)
    path = store.root / RoomsFile.NAME
    path.with_name(f"{path.name}-wal").write_bytes(damaged(log, rng))
    path.with_name(f"{path.name}{ENDING}").write_bytes(count)
    return _looked_at(known)


def _looked_at(known: dict[str, Any]) -> str:
    store, code, _, _ = _room()
    rooms, before = Rooms(store), len(RoomsFile(store).set_aside())
    try:
        shown = _shown(rooms, code)
        assert shown == known, "what nobody wrote was believed, or something is missing"
        rooms.join(code, NEW)
    except RoomRefused:
        code = rooms.start("mailbox", HOST)[0].code
        rooms.join(code, NEW)
    assert rooms.vote(code, 0, NEW, 0.5) == 0.5, "a vote was not kept"
    return _came_of(RoomsFile(store), before)


@cache
def _alone() -> tuple[Store, bytes, dict[str, Any]]:
    """Return a store with predictions, the bytes of their file, and the predictions of each visitor."""
    store = Store(root=folder("predictions"), shipped=folder("predictions") / "shipped")
    file = AloneFile(store)
    for visitor in PEOPLE:
        for step, value in enumerate(VALUES):
            file.lock(visitor, "mailbox", step, value)
        file.reveal(visitor, "mailbox", 0)
    return store, _content(store, AloneFile), {visitor: file.predictions(visitor) for visitor in PEOPLE}


def predictions(rng: random.Random) -> str:
    """Damage the file of predictions of those who learn alone, read it, and go on predicting."""
    store, whole, known = _alone()
    _put(store, AloneFile, damaged(whole, rng))
    file, before = AloneFile(store), len(AloneFile(store).set_aside())
    for visitor in PEOPLE:
        kept = file.predictions(visitor)
        assert kept in ({}, known[visitor]), f"predictions were believed that nobody made: {kept!r:.200}"
    file.lock(NEW, "mailbox", 0, 0.5)
    assert file.predictions(NEW) == {("mailbox", 0): (0.5, False)}, "a prediction was not kept"
    return _came_of(file, before)


def _content(store: Store, kind: type[SharedFile]) -> bytes:
    with closing(sqlite3.connect(store.root / kind.NAME)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    return (store.root / kind.NAME).read_bytes()


def _put(store: Store, kind: type[SharedFile], content: bytes) -> None:
    """Put these bytes in the place of a file."""
    for ending in ("-wal", "-shm", ENDING):
        (store.root / f"{kind.NAME}{ending}").unlink(missing_ok=True)
    (store.root / kind.NAME).write_bytes(content)


def _came_of(file: SharedFile, before: int) -> str:
    return "set aside" if len(file.set_aside()) > before else "read as it was"
