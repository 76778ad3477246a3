"""Rooms keep every vote that was confirmed, say what is wrong with a code, and forget what was deleted."""

import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import RoomRefused, StoreError
from core.runtime import sealed_rows
from core.runtime.sealed_text import sealed
from core.runtime.store import Store
from dashboard.room import codes
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import DAYS, Room, RoomsFile, Stage, StageChanges, Standing, values_of
from tests.errands import ROOT
from tests.patience import PATIENCE

HOST, ANN, BOB = "1" * 32, "a" * 32, "b" * 32
VOTING = """
import sys
from core.runtime.store import Store
from dashboard.room.rooms import Rooms
rooms, code, name = Rooms(Store()), sys.argv[1], sys.argv[2]
sys.stdin.readline()
for number in range(60):
    rooms.join(code, f"{name}{number}")
    rooms.vote(code, 1, f"{name}{number}", 0.25)
    print(number, flush=True)
"""


@pytest.fixture
def rooms(store: Store) -> Rooms:
    return Rooms(store)


@pytest.fixture
def room(rooms: Rooms) -> Room:
    room, _ = rooms.start("mailbox", HOST)
    rooms.go(room.code, HOST, 1)
    return rooms.find(room.code)


def test_confirmed_votes_outlive_a_killed_process_beside_another(rooms: Rooms, room: Room, home: Path) -> None:
    environment = {**os.environ, "TELLTALE_HOME": str(home), "PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", VOTING, room.code, name],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name in ("killed", "other")
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
    killed, other = processes
    assert killed.stdout is not None
    confirmed = [killed.stdout.readline() for _ in range(5)]
    killed.kill()
    confirmed += killed.communicate()[0].splitlines()
    assert other.communicate()[0].split()[-1] == b"59"
    visitors = {vote.visitor for vote in rooms.votes(room.code)}
    assert {f"killed{int(line)}" for line in confirmed} | {f"other{number}" for number in range(60)} <= visitors
    _, people, votes, _ = rooms.standing(room.code, 1)
    assert votes == len(visitors) <= people
    assert rooms.lost() is None


def test_a_vote_counts_once_and_only_while_its_step_is_open(rooms: Rooms, room: Room) -> None:
    code = room.code
    with pytest.raises(RoomRefused, match="Join it first"):
        rooms.vote(code, 1, ANN, 0.5)
    rooms.join(code, ANN, "Ann")
    rooms.join(code, ANN, "somebody else")
    rooms.join(code, BOB)
    assert [(person.nickname, person.role) for person in rooms.people(code)[1:]] == [
        ("Ann", "participant"),
        ("", "participant"),
    ]
    before = rooms.standing(code, 1)
    assert rooms.vote(code, 1, ANN, 0.5) == rooms.vote(code, 1, ANN, 0.9) == 0.5
    assert rooms.standing(code, 1) == (before.revision, 2, 1, 0), "votes are counted apart from what facilitators do"
    with pytest.raises(RoomRefused, match="Step 2 is not open yet"):
        rooms.vote(code, 2, ANN, "Word pairs")
    rooms.allow_ahead(code, HOST, ahead=True)
    rooms.vote(code, 2, ANN, "Word pairs")
    rooms.vote(code, 3, ANN, (True, False))
    past = time.time() - 1
    closing_changes: tuple[tuple[StageChanges, Stage], ...] = (
        ({"is_locked": True}, Stage(is_locked=True)),
        ({"is_locked": False, "is_revealed": True}, Stage(is_revealed=True)),
        ({"is_revealed": False, "ends": past}, Stage(ends=past)),
    )
    for changes, stage in closing_changes:
        rooms.change_stage(code, HOST, 1, **changes)
        assert rooms.stage(code, 1) == stage
        with pytest.raises(RoomRefused, match="was locked before your prediction came"):
            rooms.vote(code, 1, BOB, 0.1)
    rooms.change_stage(code, HOST, 1, ends=time.time() + 1e6)
    rooms.vote(code, 1, BOB, 0.1)
    votes = rooms.votes(code)
    assert [values_of(votes, step) for step in (1, 2, 3)] == [(0.5, 0.1), ("Word pairs",), ((True, False),)]
    with pytest.raises(RoomRefused, match="finite"):
        rooms.vote(code, 1, BOB, float("nan"))


def test_two_facilitators_steer_one_step_at_once_and_neither_change_is_lost(rooms: Rooms, room: Room) -> None:
    code = room.code
    rooms.admit(code, rooms.renew(code, HOST), ANN)
    together = threading.Barrier(2, timeout=PATIENCE)

    def steer(visitor: str, changes: StageChanges) -> None:
        for step in range(1, 21):
            together.wait()
            rooms.change_stage(code, visitor, step, **changes)

    before = rooms.find(code).revision
    with ThreadPoolExecutor(2) as pool:
        pressed: tuple[tuple[str, StageChanges], ...] = ((HOST, {"is_locked": True}), (ANN, {"is_shown": True}))
        for steered in [pool.submit(steer, visitor, changes) for visitor, changes in pressed]:
            steered.result()
    stages = [rooms.stage(code, step) for step in range(1, 21)]
    assert stages == [Stage(is_locked=True, is_shown=True)] * 20
    assert rooms.find(code).revision == before + 40


def test_only_facilitators_steer_and_a_renewed_link_ends_the_old_one(rooms: Rooms) -> None:
    room, secret = rooms.start("mailbox", HOST)
    rooms.join(room.code, ANN)
    for act in (
        lambda: rooms.go(room.code, ANN, 2),
        lambda: rooms.change_stage(room.code, ANN, 1, is_revealed=True),
        lambda: rooms.renew(room.code, ANN),
        lambda: rooms.delete(room.code, BOB),
    ):
        with pytest.raises(RoomRefused, match="Open its secret link first"):
            act()
    fresh = rooms.renew(room.code, HOST)
    with pytest.raises(RoomRefused, match="Ask for its newest one"):
        rooms.admit(room.code, secret, ANN)
    rooms.vote(room.code, 0, ANN, 0.5)
    before = rooms.standing(room.code, 0)
    rooms.admit(room.code, fresh, ANN)
    assert before[1:] == (1, 1, 1), "who leads is not counted, though their screen shows the step"
    assert rooms.standing(room.code, 0) == (before.revision + 1, 0, 0, 0) and not rooms.votes(room.code)
    rooms.go(room.code, ANN, 2)
    room_found = rooms.find(f" {room.code[:3].lower()}-{room.code[3:]} ")
    assert (room_found.step, room_found.people) == (2, 0), "whoever leads is no participant any more"


@pytest.mark.parametrize("code", ["", "K7PQ4", "K7PQ4MM", "K7PQ4O", "' or 1=1", "Ä7PQ4M"])
def test_a_wrong_code_is_told_its_rule(rooms: Rooms, code: str) -> None:
    with pytest.raises(RoomRefused, match=r"has 6 of the letters and digits 2345.* instead"):
        rooms.find(code)


def test_a_digit_that_is_read_as_a_letter_finds_the_room(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "drawn", lambda: "865CD2")
    room, _ = rooms.start("pin", HOST)
    assert rooms.find("bgscdz") == rooms.find("865CD2") == room
    alike = ("8B", "6G", "5S", "2Z", "0O", "0Q", "1I", "1L")
    assert not [pair for pair in alike if set(pair) <= set(codes.ALPHABET)]


def test_a_deleted_room_and_one_that_is_over_leave_nothing_behind(rooms: Rooms, room: Room, store: Store) -> None:
    with pytest.raises(RoomRefused, match="No room has the code"):
        rooms.find(codes.drawn())
    kept, _ = rooms.start("pin", HOST)
    for code in (room.code, kept.code):
        rooms.join(code, ANN, "Rumpelstilzchen")
        rooms.vote(code, 0, ANN, 0.125)
    rooms.delete(room.code, HOST)
    with pytest.raises(RoomRefused, match="No room has the code"):
        rooms.find(room.code)
    assert rooms.standing(room.code, 1) == Standing()
    path = store.root / "rooms.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        sealed_rows.connect(database)
        database.execute("update rooms set created = ?", (time.time() - DAYS * 86_400 - 1,))
    with pytest.raises(RoomRefused, match="No room has the code"):
        rooms.votes(kept.code) if rooms.find(kept.code) else None
    rooms.expire()
    files = [file.read_bytes() for file in store.root.glob("rooms.sqlite*")]
    assert files and not any(b"Rumpelstilzchen" in content for content in files)


@pytest.mark.parametrize(
    "damage",
    [
        "update votes set value = replace(value, '0.5', '0.7')",
        "update votes set visitor = 'b'",
        "update people set role = 'king'",
        "drop table votes",
        None,
    ],
)
def test_a_damaged_file_is_set_aside_and_rooms_begin_anew(rooms: Rooms, store: Store, damage: str | None) -> None:
    room, _ = rooms.start("mailbox", HOST)
    rooms.join(room.code, ANN)
    rooms.vote(room.code, 0, ANN, 0.5)
    path = store.root / "rooms.sqlite"
    if damage is None:
        path.write_bytes(b"nonsense" * 1000)
    else:
        with closing(sqlite3.connect(path)) as database, database:
            sealed_rows.connect(database)
            database.execute(damage)
    with pytest.raises(RoomRefused, match=re.escape(f"were damaged and moved to {store.root}")):
        rooms.people(room.code) and rooms.votes(room.code)
    fresh, _ = rooms.start("mailbox", HOST)
    assert not rooms.votes(fresh.code)
    folder = rooms.lost()
    assert folder is not None
    os.utime(folder, (0, 0))
    rooms.expire()
    assert rooms.lost() is None


@pytest.mark.parametrize("written", [b"Rumpelstilzchen", ANN.encode(), b"mailbox"])
def test_a_bit_that_flips_in_a_name_is_noticed_when_it_is_read(
    rooms: Rooms, room: Room, store: Store, written: bytes
) -> None:
    rooms.join(room.code, ANN, "Rumpelstilzchen")
    path = store.root / "rooms.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    content = path.read_bytes()
    assert written in content
    path.write_bytes(content.replace(written, bytes([written[0] ^ 1]) + written[1:]))
    with pytest.raises(RoomRefused, match="were damaged and moved to"):
        rooms.people(room.code)


def test_a_hole_that_hides_votes_is_noticed_when_they_are_read(rooms: Rooms, room: Room, store: Store) -> None:
    path = store.root / "rooms.sqlite"
    with closing(sqlite3.connect(path)) as database:
        (root,) = database.execute("select rootpage from sqlite_master where name = 'votes'").fetchone()
        (size,) = database.execute("pragma page_size").fetchone()
        database.execute("pragma wal_checkpoint(truncate)")
    for visitor in (ANN, BOB):
        rooms.join(room.code, visitor)
        rooms.vote(room.code, 1, visitor, 0.5)
    whole = bytearray(path.read_bytes())
    begin = (root - 1) * size
    whole[begin + 3 : begin + 5] = (1).to_bytes(2, "big")  # of the two cells that the page holds, one is counted
    path.write_bytes(whole)
    with pytest.raises(RoomRefused, match="were damaged and moved to"):
        rooms.votes(room.code)


@pytest.mark.parametrize("what", ["moment = 0.5", "value = replace(value, '0.5', '0.6')"])
def test_a_vote_that_was_changed_is_not_believed(rooms: Rooms, room: Room, store: Store, what: str) -> None:
    rooms.join(room.code, ANN)
    rooms.vote(room.code, 1, ANN, 0.5)
    with closing(sqlite3.connect(store.root / "rooms.sqlite")) as database, database:
        database.execute(f"update votes set {what}")
    with pytest.raises(RoomRefused, match="were damaged and moved to"):
        rooms.votes(room.code)


def test_votes_of_an_earlier_version_whose_moment_is_not_sealed_are_read(
    rooms: Rooms, room: Room, store: Store
) -> None:
    rooms.join(room.code, ANN)
    rooms.vote(room.code, 1, ANN, 0.5)
    with closing(sqlite3.connect(store.root / "rooms.sqlite")) as database, database:
        database.execute("update votes set value = ?", (sealed(f"{room.code} 1 {ANN}", 0.5),))
    assert [vote.value for vote in rooms.votes(room.code)] == [0.5]


def test_a_code_that_is_taken_costs_no_room(
    rooms: Rooms, room: Room, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "drawn", iter([room.code, room.code, "K7PQ4M"]).__next__)
    assert rooms.start("pin", HOST)[0].code == "K7PQ4M"
    monkeypatch.setattr(codes, "drawn", lambda: room.code)
    with pytest.raises(RoomRefused, match="is that of another room"):
        rooms.start("pin", HOST)
    twice = "insert into rooms (code, lesson, secret, created) select code, lesson, secret, created from rooms"
    for mistaken in (twice, "select * from what_is_not_there"):
        with pytest.raises(StoreError, match=r"cannot be used now: (UNIQUE|no such table)"):
            RoomsFile(store).change(lambda database, statement=mistaken: database.execute(statement))
    assert rooms.find(room.code).step == 1 and rooms.lost() is None, "an intact file is never set aside"


def test_a_room_is_bounded(rooms: Rooms, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.room.rooms.MOST_PEOPLE", 2)
    monkeypatch.setattr("dashboard.room.rooms.MOST_ROOMS", 1)
    for visitor in (ANN, BOB):
        rooms.join(room.code, visitor)
    with pytest.raises(RoomRefused, match="has 2 people, its most"):
        rooms.join(room.code, "c" * 32)
    with pytest.raises(RoomRefused, match="takes 1 rooms, and has as many"):
        rooms.start("pin", HOST)
