"""A SQLite file that many processes read and change at once, and that is set aside when it is damaged."""

import fcntl
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.errors import StoreError, StoreFull, StoreReadOnly
from core.runtime.store import Store

_PATIENCE = 30.0
_ENVIRONMENT = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_NOMEM", "SQLITE_INTERRUPT", "SQLITE_AUTH")
_UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")


@dataclass(frozen=True)
class QueueFile:
    """The file of the queue of a store, in WAL mode: readers wait for nobody.

    Attributes:
        store: Where the file lies.
        table: Statement that makes its table, ``jobs``.
        parse: Reads all rows; raises ValueError, TypeError or KeyError where they make no sense.
    """

    store: Store
    table: str
    parse: Callable[[Sequence[sqlite3.Row]], object]

    def exists(self) -> bool:
        """Tell whether there is a queue."""
        try:
            return self._path.exists()
        except OSError:
            return False

    def create(self) -> None:
        """Make an empty queue where there is none: elsewhere, then moved in whole, so that nobody sees half of one.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
        """
        if self.exists():
            return
        root = self.store.root
        with self.store.writing():
            root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=root, prefix="queue-", ignore_cleanup_errors=True) as name:
                fresh = Path(name) / self._path.name
                try:
                    with closing(sqlite3.connect(fresh, isolation_level=None)) as database:
                        database.execute("pragma journal_mode = wal")
                        database.execute(self.table)
                except sqlite3.Error as error:
                    raise self._explained(error) from error
                with suppress(FileExistsError):
                    os.link(fresh, self._path)

    def rows(self, query: str) -> list[sqlite3.Row]:
        """Read what can be read; where there is no queue, or none that may be opened, that is nothing.

        Raises:
            StoreError: The queue is damaged; it is set aside, and the next call works.
        """
        if not self.exists():
            return []
        try:
            return _read(self._connected, query)
        except sqlite3.Error as error:
            if not _name(error).startswith(_UNWRITABLE):
                raise self._explained(error) from error
        # On a disk that cannot be written SQLite cannot keep its notes beside the queue, but may read it without.
        try:
            return _read(self._connected_to_unchanging, query)
        except sqlite3.Error:
            return []

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Change the queue while nobody else does: all that is done takes effect at the end, or nothing.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
            StoreError: The queue is damaged; it is set aside, and the next call works.
        """
        self.create()
        try:
            with closing(self._connected()) as database:
                database.execute("pragma synchronous = normal")
                database.execute("begin immediate")
                try:
                    yield database
                except BaseException:
                    database.rollback()
                    raise
                database.commit()
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def damaged(self) -> StoreError:
        """Set a damaged queue aside, unless another process has done so meanwhile, and return what to say of it."""
        root, aside = self.store.root, f"jobs.damaged-{time.time_ns()}.sqlite"
        with self.store.writing(), (root / "jobs.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self._is_intact():
                for ending in ("-wal", "-shm", ""):
                    with suppress(FileNotFoundError):
                        (root / f"{self._path.name}{ending}").rename(root / f"{aside}{ending}")
        return StoreError("The queue of runs was damaged and is set aside. Ask again: results are kept, runs resume.")

    @property
    def _path(self) -> Path:
        return self.store.root / "jobs.sqlite"

    def _connected(self) -> sqlite3.Connection:
        return _connected(str(self._path), is_address=False)

    def _connected_to_unchanging(self) -> sqlite3.Connection:
        return _connected(f"{self._path.absolute().as_uri()}?mode=ro&immutable=1", is_address=True)

    def _explained(self, error: sqlite3.Error) -> StoreError:
        name = _name(error)
        if name.startswith("SQLITE_FULL") or (name.startswith("SQLITE_IOERR") and _is_full(self.store.root)):
            return StoreFull(f"No space is left in {self.store.root}. Free some, then run again: it resumes.")
        if name.startswith(_UNWRITABLE):
            return StoreReadOnly(f"{self._path} cannot be written. Point TELLTALE_HOME at a folder that can.")
        if name.startswith(_ENVIRONMENT):
            return StoreError(f"The queue {self._path} cannot be used now: {error}.")
        return self.damaged()

    def _is_intact(self) -> bool:
        try:
            with closing(self._connected()) as database:
                whole = bool(database.execute("pragma integrity_check").fetchone()[0] == "ok")
                self.parse(database.execute("select * from jobs").fetchall())
        except (sqlite3.Error, ValueError, TypeError, KeyError):
            return False
        return whole


def _connected(place: str, is_address: bool) -> sqlite3.Connection:
    database = sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None, uri=is_address)
    database.row_factory = sqlite3.Row
    return database


def _read(connected: Callable[[], sqlite3.Connection], query: str) -> list[sqlite3.Row]:
    with closing(connected()) as database:
        return database.execute(query).fetchall()


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or ""


def _is_full(folder: Path) -> bool:
    return bool(psutil.disk_usage(str(folder)).free < 2**20)
