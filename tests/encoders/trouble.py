"""Disks without room, and files that nobody may write, as SQLite meets them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

_connect = sqlite3.connect


class _Full(sqlite3.Connection):
    """Has no page left for what comes on top."""

    def executemany(self, *_: object) -> sqlite3.Cursor:
        self.execute("PRAGMA max_page_count = 1")
        return self.execute("INSERT INTO embeddings VALUES (x'00', zeroblob(9000000))")


@contextmanager
def full_disk() -> Iterator[None]:
    """Let SQLite find no space."""
    with patch.object(sqlite3, "connect", lambda path, timeout: _connect(path, timeout=timeout, factory=_Full)):
        yield


@contextmanager
def read_only() -> Iterator[None]:
    """Let SQLite open what is there for reading only."""

    def connect(path: Any, timeout: float) -> sqlite3.Connection:
        return _connect(f"file:{path}?mode=ro", timeout=timeout, uri=True)

    with patch.object(sqlite3, "connect", connect):
        yield
