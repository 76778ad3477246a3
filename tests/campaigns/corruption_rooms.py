"""Damages the files of rooms and of predictions: what was never written is not believed, and both begin anew."""

import random
import sqlite3
from contextlib import closing
from functools import cache
from typing import Any

from core.errors import RoomRefused
from core.runtime.sealed_rows import connect
from core.runtime.shared_file import SharedFile
from core.runtime.store import Store
from dashboard.room.alone import AloneFile
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import RoomsFile, Stage, Value
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
    rooms.allow(code, HOST, ahead=True, runs=3, minutes=7)
    for number, visitor in enumerate(PEOPLE):
        rooms.join(code, visitor, f"nickname {number}")
        for step, value in enumerate(VALUES):
            rooms.vote(code, step, visitor, value)
    rooms.set_stage(code, HOST, 1, Stage(is_locked=True, is_revealed=True))
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
def _interrupted() -> tuple[bytes, bytes, dict[str, Any]]:
    """Return the bytes of the file and of its journal as a kill in the middle of a change leaves them.

    The last is what the room shows after the whole change: everybody has a longer nickname.
    """
    store, code, whole, _ = _room()
    _put(store, RoomsFile, whole)
    path = store.root / RoomsFile.NAME
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        connect(database)
        database.execute("pragma cache_size = 1")  # so that a part is written before all of it is changed
        database.execute("begin immediate")
        database.execute("update people set nickname = nickname || hex(zeroblob(300))")
        half, journal = path.read_bytes(), path.with_name(f"{path.name}-journal").read_bytes()
        database.commit()
    assert half not in (whole, path.read_bytes())
    return half, journal, _shown(Rooms(store), code)


def room(rng: random.Random, *, journal: bool = False) -> str:
    """Damage the file of rooms, or the journal of a change that was killed; look at the room, and go on with it."""
    store, code, whole, known = _room()
    if journal:
        half, beside, changed = _interrupted()
        _put(store, RoomsFile, half)
        (store.root / f"{RoomsFile.NAME}-journal").write_bytes(damaged(beside, rng))
    else:
        changed = known
        _put(store, RoomsFile, damaged(whole, rng))
    rooms, before = Rooms(store), len(RoomsFile(store).set_aside())
    try:
        shown = _shown(rooms, code)
        assert shown in (known, changed), "what nobody wrote was believed, or something is missing"
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
        found = file.predictions(visitor)
        assert found in ({}, known[visitor]), f"predictions were believed that nobody made: {found!r:.200}"
    file.lock(NEW, "mailbox", 0, 0.5)
    assert file.predictions(NEW) == {("mailbox", 0): (0.5, False)}, "a prediction was not kept"
    return _came_of(file, before)


def _content(store: Store, kind: type[SharedFile]) -> bytes:
    return (store.root / kind.NAME).read_bytes()


def _put(store: Store, kind: type[SharedFile], content: bytes) -> None:
    """Put these bytes in the place of a file."""
    (store.root / f"{kind.NAME}-journal").unlink(missing_ok=True)
    (store.root / kind.NAME).write_bytes(content)


def _came_of(file: SharedFile, before: int) -> str:
    return "set aside" if len(file.set_aside()) > before else "read as it was"
