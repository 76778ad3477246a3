"""What shows that a SQLite file is damaged: its structure, and what it declares."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache

from core.errors import StoreError

_ERROR_CODE = re.compile(r"error code[ =]+(\d+)")
_CANNOT_READ = 10
"""SQLITE_IOERR, the lowest byte of all its kinds."""


class Unreadable(Exception):
    """A file, or a row of it, is not what it should be."""


def structure(database: sqlite3.Connection) -> None:
    """Refuse a file whose index is damaged, where SQLite would silently miss rows.

    Raises:
        Unreadable: It is damaged.
        StoreError: The disk cannot be read now, which SQLite tells as if it were damage.
    """
    problems = [str(row[0]) for row in database.execute("pragma integrity_check")]
    codes = [int(code) for problem in problems for code in _ERROR_CODE.findall(problem)]
    if any(code & 0xFF == _CANNOT_READ for code in codes):
        raise StoreError(f"The disk cannot be read now: {problems[0]}.")
    if problems != ["ok"]:
        raise Unreadable(problems[0])


def declared(database: sqlite3.Connection, tables: tuple[str, ...], added: Mapping[str, str]) -> None:
    """Refuse a file that declares something else than it should.

    Args:
        database: A connection to it.
        tables: The statements that declare it.
        added: What a file of an earlier version lacks until it is changed: by name, the statement that adds it.

    Raises:
        Unreadable: It declares more, or lacks some of its tables.
    """
    present, intact = _declared(database), _as_declared(tables, tuple(added.values()))
    if not present <= intact or any(name not in added for _, name, *_ in intact - present):
        raise Unreadable("It declares other tables.")


def _declared(database: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(map(tuple, database.execute("select type, name, tbl_name, sql from sqlite_master")))


@cache
def _as_declared(tables: tuple[str, ...], added: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return what an intact file with these tables declares."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in (*tables, *added):
            fresh.execute(statement)
        return _declared(fresh)
