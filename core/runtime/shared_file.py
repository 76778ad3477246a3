"""A SQLite file that many processes read and change at once, and that is set aside when damaged."""

import fcntl
import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

import psutil

from core.errors import StoreError, StoreFull, StoreReadOnly
from core.runtime import change_count, database_checks, known_intact
from core.runtime.change_count import Count
from core.runtime.database_checks import Unreadable
from core.runtime.folders import writing
from core.runtime.sealed_rows import Seals, connect
from core.runtime.store import Store

_PATIENCE = 30.0
_PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_INTERRUPT", "SQLITE_NOMEM")
_UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")
_IN_WAL_MODE = b"\2\2"
_T = TypeVar("_T")


_UNREADABLE = (sqlite3.Error, Unreadable, UnicodeDecodeError)
"""Errors on reading damaged rows or damaged column names."""


@dataclass(frozen=True)
class SharedFile:
    """A SQLite file of a store, in WAL mode, so that readers never wait.

    A change outlives a loss of power, and is counted beside the file, so that it is noticed where the log lost some.
    A damaged file is moved into the store's ``damaged`` folder, and a fresh one takes its place. Methods raise
    `StoreFull`, `StoreReadOnly` or another `StoreError` when the file cannot be used now.

    Attributes:
        store: Holds the file.
    """

    NAME: ClassVar[str]
    """What the file is called, with the ending ``sqlite``."""
    CALLED: ClassVar[str]
    """What messages call it."""
    TABLES: ClassVar[tuple[str, ...]]
    """Statements that declare it."""
    ADDED: ClassVar[Mapping[str, str]] = {}
    """Tables that a file of an earlier version lacks: by name, the statement that adds one where it is missing."""
    CHECKED_WHEN_READ: ClassVar[bool] = False
    """Whether what damage hides is noticed when the file is read, not only when it is changed; for small files.

    A process checks all of the file when that has changed since its last look, and once a minute.
    """
    SEALS: ClassVar[Seals] = Seals({})
    """Tables whose rows have digests, so that a flipped bit is noticed; for small files."""

    store: Store

    def exists(self) -> bool:
        """Tell whether there is such a file."""
        try:
            return self._path.exists()
        except OSError:
            return False

    def create(self) -> None:
        """Create an empty file if there is none: elsewhere, then moved in whole, so that nobody sees half of it."""
        if self.exists():
            return
        root = self.store.root
        with writing(self.store.root):
            root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=root, prefix=f"{self.CALLED}-", ignore_cleanup_errors=True) as name:
                fresh = Path(name) / self._path.name
                try:
                    with closing(sqlite3.connect(fresh, isolation_level=None)) as database:
                        database.execute("pragma journal_mode = wal")
                        for statement in self.TABLES:
                            database.execute(statement)
                        change_count.begin(database)
                except sqlite3.Error as error:
                    raise self._refusal(error) from error
                with suppress(FileExistsError):
                    os.link(fresh, self._path)

    def read(self, action: Callable[[sqlite3.Connection], _T], absent: _T) -> _T:
        """Return what an action reads, or ``absent`` where there is no file."""

        def existing() -> _T:
            try:
                self._path.stat()
            except (FileNotFoundError, NotADirectoryError):
                return absent
            except OSError as error:
                raise StoreError(f"The {self.CALLED} {self._path} cannot be read: {error.strerror}.") from error
            count, stamp = self._count(), known_intact.stamp(self._path)
            with closing(self._connected("mode=rw")) as database:
                if self.CHECKED_WHEN_READ and not known_intact.is_known(self._path, stamp):
                    self._check(database, count)
                    known_intact.remember(self._path, stamp)
                return action(database)

        return self._healed(existing)

    def read_leniently(self, action: Callable[[sqlite3.Connection], _T], absent: _T) -> _T:
        """Return what can be read, which may lag behind where the disk is full or cannot be written."""
        if not self.exists():
            return absent
        try:
            return self.read(action, absent)
        except StoreError as refusal:
            cause = refusal.__cause__
            if isinstance(cause, sqlite3.Error) and _name(cause).startswith(_PASSING):
                raise
        # SQLite cannot write its side files there, but can read the file without them.
        try:
            with closing(self._connected("mode=ro&immutable=1")) as database:
                return action(database)
        except _UNREADABLE:
            return absent

    def change(self, action: Callable[[sqlite3.Connection], _T]) -> _T:
        """Change the file in one exclusive transaction, which is committed when this returns.

        If the file proves damaged, the action is repeated on a fresh one.
        """

        def changed() -> _T:
            self.create()
            count = self._count()
            with closing(self._connected("mode=rw")) as database:
                database.execute("pragma synchronous = full")  # else a loss of power would look like damage
                database.execute("begin immediate")
                try:
                    self._check(database, count)
                    for statement in self.ADDED.values():
                        database.execute(statement)
                    self.SEALS.add(database)
                    result = action(database)
                    counted = change_count.counted(database)
                except BaseException:
                    database.rollback()
                    raise
                database.commit()
            change_count.keep(self._beside(change_count.ENDING), counted)
            return result

        return self._healed(changed)

    def set_aside(self) -> list[Path]:
        """Return the folders of damaged files."""
        try:
            return [path.parent for path in (self.store.root / "damaged").glob(f"*/{self._path.name}")]
        except OSError:
            return []

    def check_rows(self, database: sqlite3.Connection) -> None:
        """Refuse a file that holds what was never written.

        Raises:
            Unreadable: A row is not what it should be.
        """

    @property
    def _path(self) -> Path:
        return self.store.root / self.NAME

    def _beside(self, ending: str) -> Path:
        return self._path.with_name(f"{self._path.name}{ending}")

    def _count(self) -> Count | None:
        return change_count.kept(self._beside(change_count.ENDING))

    def _check(self, database: sqlite3.Connection, count: Count | None) -> None:
        """Refuse a damaged file; ``count`` changes were written before it was opened, where that is known."""
        added = {**self.ADDED, **self.SEALS.statements, "changes": change_count.TABLE}
        database_checks.structure(database)
        database_checks.declared(database, self.TABLES, added)
        if change_count.is_behind(database, count):
            raise Unreadable("Its last changes are missing.")
        if name := self.SEALS.broken(database):
            raise Unreadable(f"A row of its table {name} is not the one that was written.")

    def _connected(self, options: str) -> sqlite3.Connection:
        address = f"{self._path.absolute().as_uri()}?{options}"
        database = sqlite3.connect(address, timeout=_PATIENCE, isolation_level=None, uri=True)
        database.row_factory = sqlite3.Row
        connect(database)
        return database

    def _healed(self, action: Callable[[], _T]) -> _T:
        for certain in (False, True):
            try:
                return action()
            except _UNREADABLE as error:
                if self.exists():
                    self._heal(error, certain)
        try:
            return action()
        except _UNREADABLE as error:
            raise self._refusal(error) from error

    def _heal(self, error: Exception, certain: bool) -> None:
        """Set a damaged file aside; return where it is intact, since another process may have replaced it meanwhile.

        Args:
            error: The error on using the file.
            certain: Whether this is the second error, so that no other process can have replaced the file.

        Raises:
            StoreError: The error has another cause than the file.
        """
        if _name(error).startswith(_PASSING) or self._is_full(error):
            raise self._refusal(error) from error
        root = self.store.root
        with writing(self.store.root), self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self._is_intact():
                if certain or _name(error).startswith((*_UNWRITABLE, "SQLITE_IOERR")):
                    raise self._refusal(error) from error
                return
            (root / "damaged").mkdir(exist_ok=True)
            aside = Path(tempfile.mkdtemp(dir=root / "damaged", prefix=f"{self.CALLED}-"))
            # The log first: a fresh file must not find the log of the old one.
            for ending in (change_count.ENDING, "-wal", "-shm", ""):
                with suppress(FileNotFoundError):
                    self._beside(ending).rename(aside / f"{self._path.name}{ending}")

    def _is_intact(self) -> bool:
        """Tell whether the file is intact; True where that cannot be checked."""
        try:
            count = self._count()
            with closing(self._connected("mode=rw")) as database:
                self._check(database, count)
                self.check_rows(database)
                # With any other bytes here, SQLite would refuse to write the file. It must read them itself: where
                # anybody else in this process closed the file, SQLite's locks on it would be gone.
                with suppress(sqlite3.OperationalError):
                    return database.serialize()[18:20] == _IN_WAL_MODE
                return True
        except StoreError:
            return True
        except (Unreadable, UnicodeDecodeError):
            return False
        except sqlite3.Error as error:
            return _name(error).startswith((*_PASSING, *_UNWRITABLE, "SQLITE_IOERR", "SQLITE_FULL"))
        except OSError:
            return True

    def _refusal(self, error: Exception) -> StoreError:
        if self._is_full(error):
            return StoreFull(f"No space is left in {self.store.root}. Free some, then run again: it resumes.")
        if _name(error).startswith(_UNWRITABLE):
            return StoreReadOnly(f"{self._path} cannot be written. Point TELLTALE_HOME at a folder that can.")
        return StoreError(f"The {self.CALLED} {self._path} cannot be used now: {error}.")

    def _is_full(self, error: Exception) -> bool:
        name = _name(error)
        if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")):
            with suppress(OSError):
                return bool(psutil.disk_usage(str(self.store.root)).free < 2**20)
        return name.startswith("SQLITE_FULL")


def _name(error: Exception) -> str:
    return getattr(error, "sqlite_errorname", None) or ""
