"""The count of changes beside a file: what the log lost is noticed, and nothing else."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from core.runtime.change_count import ENDING, Count, keep, kept
from core.runtime.shared_file import SharedFile
from core.runtime.store import Store


@dataclass(frozen=True)
class Notes(SharedFile):
    """Notes in a file of their own."""

    NAME: ClassVar[str] = "notes.sqlite"
    CALLED: ClassVar[str] = "notes"
    TABLES: ClassVar[tuple[str, ...]] = ("create table notes (note text)",)
    CHECKED_WHEN_READ: ClassVar[bool] = True

    def write(self, note: str) -> None:
        self.change(lambda database: database.execute("insert into notes values (?)", (note,)))

    def written(self) -> list[str]:
        return self.read(lambda database: [row["note"] for row in database.execute("select * from notes")], [])

    def beside(self, ending: str) -> Path:
        return self.store.root / f"{self.NAME}{ending}"


@pytest.fixture
def notes(store: Store) -> Notes:
    return Notes(store)


def logged(notes: Notes) -> None:
    """Leave the second of two notes in the log alone, as a kill does."""
    notes.write("first")
    logged_since(notes, "second")


def logged_since(notes: Notes, *written: str) -> None:
    """Leave notes in the log alone."""
    with closing(sqlite3.connect(notes.beside(""))) as reader:
        reader.execute("select * from notes").fetchall()  # as long as somebody reads, the log stays
        for note in written:
            notes.write(note)
        for ending in ("", "-wal"):
            shutil.copy(notes.beside(ending), notes.beside(f"{ending}.copy"))
    for ending in ("", "-wal"):
        notes.beside(f"{ending}.copy").replace(notes.beside(ending))
    notes.beside("-shm").unlink(missing_ok=True)


def flip(file: Path, position: int) -> None:
    content = bytearray(file.read_bytes())
    content[position] ^= 1
    file.write_bytes(content)


def test_what_stands_in_the_log_alone_is_read(notes: Notes) -> None:
    logged(notes)
    assert notes.written() == ["first", "second"]
    assert not notes.set_aside()


@pytest.mark.parametrize("position", [0, 24, 60, -5000, -1])
def test_a_bit_that_flips_in_the_log_is_noticed(notes: Notes, position: int) -> None:
    logged(notes)
    flip(notes.beside("-wal"), position)
    assert notes.written() == []
    assert len(notes.set_aside()) == 1
    notes.write("third")
    assert notes.written() == ["third"]
    assert len(notes.set_aside()) == 1, "the count of the old file says nothing of the new one"


@pytest.mark.parametrize("position", [0, 24, 60, -5000, -1])
def test_a_bit_that_flips_in_the_log_of_a_file_never_taken_over_is_noticed(notes: Notes, position: int) -> None:
    notes.create()
    logged_since(notes, "first", "second")
    flip(notes.beside("-wal"), position)
    assert notes.written() == []
    assert len(notes.set_aside()) == 1


def test_a_file_of_an_earlier_version_is_counted_from_its_first_change(notes: Notes) -> None:
    notes.write("first")
    with closing(sqlite3.connect(notes.beside(""))) as database, database:
        database.execute("drop table changes")
    notes.beside(ENDING).unlink()
    assert notes.written() == ["first"]
    logged_since(notes, "second")
    assert notes.written() == ["first", "second"]
    logged_since(notes, "third")
    flip(notes.beside("-wal"), 60)
    assert notes.written() == []


def test_a_log_that_is_gone_is_noticed_before_a_change_too(notes: Notes) -> None:
    logged(notes)
    notes.beside("-wal").unlink()
    notes.write("third")
    assert notes.written() == ["third"]
    assert len(notes.set_aside()) == 1


def _gone(file: Path) -> None:
    file.unlink()


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _more(file: Path) -> None:
    file.write_text(file.read_text().replace(" 2 ", " 3 "))


def _of_another_file(file: Path) -> None:
    keep(file, Count("0" * 16, 900))


def _foreign(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize("change", [_gone, _cut, _more, _of_another_file, _foreign])
def test_a_count_that_is_not_that_of_the_file_says_nothing(notes: Notes, change: Callable[[Path], None]) -> None:
    notes.write("first")
    notes.write("second")
    change(notes.beside(ENDING))
    assert notes.written() == ["first", "second"]
    notes.write("third")
    assert not notes.set_aside()
    count = kept(notes.beside(ENDING))
    assert count is not None and count.number == 3


def test_a_count_that_is_late_says_nothing(notes: Notes) -> None:
    notes.write("first")
    late = notes.beside(ENDING).read_bytes()
    notes.write("second")
    notes.beside(ENDING).write_bytes(late)
    assert notes.written() == ["first", "second"]


def test_a_change_is_flushed_before_it_counts(notes: Notes) -> None:
    assert notes.change(lambda database: database.execute("pragma synchronous").fetchone()[0]) == 2


@pytest.mark.parametrize("damage", ["file = '69a4 e57c01d2f3a'", "file = x'ff'", "number = 1e19", "number = 'many'"])
def test_a_count_in_the_file_that_nobody_wrote_is_noticed(notes: Notes, damage: str) -> None:
    notes.write("first")
    with closing(sqlite3.connect(notes.beside(""))) as database, database:
        database.execute(f"update changes set {damage}")
    assert notes.written() == []
    assert len(notes.set_aside()) == 1
    notes.write("second")
    assert notes.written() == ["second"]


def test_the_largest_number_is_no_end(notes: Notes) -> None:
    notes.write("first")
    with closing(sqlite3.connect(notes.beside(""))) as database, database:
        database.execute("update changes set number = 9223372036854775807")
    notes.write("second")
    notes.write("third")
    assert "third" in notes.written()
    assert notes.set_aside()
