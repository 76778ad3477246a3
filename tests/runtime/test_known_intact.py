"""A file is checked at the first look and whenever anything of it has changed, and otherwise once a minute."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from core.runtime import database_checks, known_intact
from core.runtime.sealed_rows import Seals
from core.runtime.shared_file import SharedFile
from core.runtime.store import Store

TABLE = "create table notes (note text)"


@dataclass(frozen=True)
class Notes(SharedFile):
    """Notes in a file of their own, each with a digest."""

    NAME: ClassVar[str] = "notes.sqlite"
    CALLED: ClassVar[str] = "notes"
    TABLES: ClassVar[tuple[str, ...]] = (TABLE,)
    SEALS: ClassVar[Seals] = Seals.of((TABLE,), ("notes",))
    CHECKED_WHEN_READ: ClassVar[bool] = True

    def write(self, note: str) -> None:
        self.change(lambda database: database.execute("insert into notes values (?)", (note,)))

    def written(self) -> list[str]:
        return self.read(lambda database: [row["note"] for row in database.execute("select * from notes")], [])


@pytest.fixture
def notes(store: Store) -> Notes:
    notes = Notes(store)
    notes.write("first")
    return notes


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The moments of all checks; every change counts as long past."""
    moments: list[float] = []
    check = database_checks.structure

    def counted(database: sqlite3.Connection) -> None:
        moments.append(time.monotonic())
        check(database)

    monkeypatch.setattr(database_checks, "structure", counted)
    monkeypatch.setattr(known_intact, "_SETTLED", -1.0)
    return moments


def path_of(notes: Notes) -> Path:
    return notes.store.root / notes.NAME


def test_a_file_that_does_not_change_is_checked_once(notes: Notes, checks: list[float]) -> None:
    assert [notes.written() for _ in range(5)] == [["first"]] * 5
    assert len(checks) == 1
    assert Notes(notes.store).written() == ["first"] and len(checks) == 1, "one memory for the process"


def test_a_file_is_checked_before_and_after_each_change(notes: Notes, checks: list[float]) -> None:
    notes.written()
    notes.write("second")
    assert len(checks) == 2
    assert notes.written() == notes.written() == ["first", "second"] and len(checks) == 3


def test_a_change_that_is_in_the_log_alone_is_one(notes: Notes, checks: list[float]) -> None:
    with closing(sqlite3.connect(path_of(notes))) as reader:
        reader.execute("select * from notes").fetchall()  # as long as somebody reads, the log stays
        for count, note in enumerate(["second", "third"], start=2):
            notes.write(note)
            checks.clear()
            assert len(notes.written()) == len(notes.written()) == count and 1 <= len(checks) <= 2


def test_a_file_is_checked_again_after_a_minute(
    notes: Notes, checks: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes.written()
    monkeypatch.setattr(known_intact, "_TRUSTED", 0.0)
    notes.written()
    assert len(checks) == 2


def test_a_change_of_a_moment_ago_is_not_relied_on(
    notes: Notes, checks: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_intact, "_SETTLED", 3600.0)
    notes.written()
    notes.written()
    assert len(checks) == 2


def _flipped(path: Path) -> None:
    times = path.stat()
    path.write_bytes(path.read_bytes().replace(b"first", b"furst"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(b"first", b"furst"))
    other.replace(path)


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [_flipped, _replaced, _emptied])
@pytest.mark.parametrize("settled", [known_intact._SETTLED, -1.0])
def test_damage_of_a_file_that_was_found_intact_is_noticed(
    notes: Notes, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], settled: float
) -> None:
    monkeypatch.setattr(known_intact, "_SETTLED", settled)
    time.sleep(0.02)  # a tick of the clock that files go by
    assert [notes.written() for _ in range(3)] == [["first"]] * 3
    damage(path_of(notes))
    assert notes.written() == []
    assert len(notes.set_aside()) == 1
