"""How many changes of a SQLite file were written, kept beside it: SQLite silently drops a damaged log.

The number stands in the file, too. Where the file has fewer than what stands beside it, its last changes are missing.
"""

import hashlib
import re
import secrets
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

TABLE = "create table if not exists changes (file text not null, number integer not null)"
ENDING = "-changes"
"""What follows the name of the file in the name of the count."""
_FILE = re.compile("[0-9a-f]{16}")


class Count(NamedTuple):
    """The changes of a file.

    Attributes:
        file: Drawn when the file is first changed, so that the count of another file says nothing.
        number: How many there are.
    """

    file: str
    number: int


def begin(database: sqlite3.Connection) -> None:
    """Give a file the place of its count, unless it has one."""
    database.execute(TABLE)
    database.execute(
        "insert into changes select ?, 0 where not exists (select 1 from changes)", (secrets.token_hex(8),)
    )


def counted(database: sqlite3.Connection) -> Count:
    """Count one change more, within its transaction."""
    begin(database)
    database.execute("update changes set number = number + 1")
    return Count(*database.execute("select file, number from changes").fetchone())


def keep(path: Path, count: Count) -> None:
    """Keep the count of a change beside its file, once the change is written."""
    text = f"{count.file} {count.number}"
    with suppress(OSError):  # without it, less is noticed
        path.write_text(f"{text} {_digest(text)}")


def kept(path: Path) -> Count | None:
    """Return the count beside a file, to be read before the file; None where there is none, or half of one."""
    try:
        text, _, digest = path.read_text().rpartition(" ")
    except (OSError, UnicodeDecodeError):
        return None
    file, _, number = text.rpartition(" ")
    return Count(file, int(number)) if digest == _digest(text) and number.isdecimal() else None


def is_behind(database: sqlite3.Connection, count: Count | None) -> bool:
    """Tell whether a file lacks changes that were written before, or holds a count that this module never writes.

    Without a place for its count, it lacks all that stands beside it.
    """
    if database.execute("select 1 from sqlite_master where name = 'changes'").fetchone() is None:
        return count is not None
    row = database.execute("select file, number from changes").fetchone()
    if row is None or not isinstance(row["file"], str) or not isinstance(row["number"], int):
        return True
    if not _FILE.fullmatch(row["file"]):
        return True
    return count is not None and row["file"] == count.file and row["number"] < count.number


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
