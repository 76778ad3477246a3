"""Stored embeddings: a file of SQLite for each encoder and its settings."""

import errno
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError
from core.runtime.folders import writing
from core.runtime.store import Store

_SCHEMA = "CREATE TABLE IF NOT EXISTS embeddings (text BLOB PRIMARY KEY, vector BLOB NOT NULL)"
_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
_PAUSE = 0.01
"""Seconds after which it is tried again where SQLite itself does not wait."""
_AT_ONCE = 500
_CHECK_BYTES = 4

_ERRNO = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EPERM,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
_FORMS = (b"\1\1", b"\2\2")
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""The last says that the table is not the one above, as nothing else can be wrong with these questions."""


class _DamagedError(StoreError):
    """The file was no database any more."""


def text_key(text: str) -> bytes:
    """Return the key of a text; lone surrogates, which no encoding allows, count as themselves."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True)
class StoredEmbeddings:
    """The stored embeddings of one encoder with its settings.

    Several processes may read and write at once. A damaged file is set aside, a damaged row is passed over; both count
    as absent.

    Attributes:
        store: Holds the file.
        name: Hash of all that determines an embedding besides the text.
    """

    store: Store
    name: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.store.root / "embeddings" / f"{self.name}.sqlite"

    def get(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the embeddings that are there, by the key of their text.

        Raises:
            StoreReadOnly: The folder cannot be written.
            StoreError: The file cannot be read.
        """
        if not self.path.exists():
            return {}
        embeddings = {}
        wanted = list(keys)
        with suppress(_DamagedError), self._open() as database:
            for start in range(0, len(wanted), _AT_ONCE):
                chunk = wanted[start : start + _AT_ONCE]
                marks = ",".join("?" * len(chunk))
                query = f"SELECT text, vector FROM embeddings WHERE text IN ({marks})"
                for key, value in database.execute(query, chunk):
                    if (vector := _vector(key, value)) is not None:
                        embeddings[key] = vector
        return embeddings

    def put(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep embeddings, all of them or none, by the key of their text.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
            StoreError: Another process does not stop writing.
        """
        values = [(key, _value(key, vector)) for key, vector in vectors.items()]
        try:
            self._insert(values)
        except _DamagedError:
            self._insert(values)

    def _insert(self, values: list[tuple[bytes, bytes]]) -> None:
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?)", values)
            database.commit()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file.

        Raises:
            _DamagedError: It is no database any more, and was set aside.
        """
        with writing(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as database:
                    database.text_factory = bytes  # a damaged value may claim to be text, and be none
                    _write_ahead(database)
                    database.execute("PRAGMA synchronous = NORMAL")
                    database.execute(_SCHEMA)
                    yield database
            except UnicodeDecodeError as error:  # the damage is in the names that a message repeats
                self._set_aside()
                raise _DamagedError from error
            except sqlite3.Error as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code in _DAMAGED or (code == sqlite3.SQLITE_READONLY and not self._has_known_form()):
                    self._set_aside()
                    raise _DamagedError from error
                if code in _ERRNO:
                    raise OSError(_ERRNO[code], str(error)) from error
                raise StoreError(f"{self.path} cannot be used: {error}.") from error

    def _has_known_form(self) -> bool:
        """Tell whether the file says to be of a form that SQLite writes; it takes any other for read-only."""
        with self.path.open("rb") as file:
            return file.read(20)[18:] in _FORMS

    def _set_aside(self) -> None:
        aside = self.store.root / "damaged"
        aside.mkdir(parents=True, exist_ok=True)
        folder = Path(mkdtemp(dir=aside))
        for suffix in ("", "-wal", "-shm"):
            path = self.path.with_name(self.path.name + suffix)
            with suppress(FileNotFoundError):
                path.rename(folder / path.name)


def _write_ahead(database: sqlite3.Connection) -> None:
    """Have changes written ahead of the file; SQLite does not wait for another process that creates it meanwhile."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)


def _value(key: bytes, vector: NDArray[np.float32]) -> bytes:
    content = np.ascontiguousarray(vector, "<f4").tobytes()
    return _checksum(key, content) + content


def _vector(key: object, value: object) -> NDArray[np.float32] | None:
    """Return a vector, or None where it is damaged, or under another key than its own."""
    if not isinstance(key, bytes) or not isinstance(value, bytes):
        return None
    check, content = value[:_CHECK_BYTES], value[_CHECK_BYTES:]
    if _checksum(key, content) != check or not content or len(content) % 4:
        return None
    return np.frombuffer(content, "<f4").astype(np.float32)


def _checksum(key: bytes, content: bytes) -> bytes:
    return zlib.crc32(content, zlib.crc32(key)).to_bytes(_CHECK_BYTES, "little")
