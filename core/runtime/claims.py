"""Claims decide which process computes a training that several runs on one machine need."""

import os
import resource
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from core.runtime.store import Store

MOST = min(256, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4)
"""Claims that a process holds at once; each is an open file."""

_BEAT_SECONDS = 5.0
_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 60.0
"""Seconds without a sign after which a holder of claims counts as stopped; its trainings are then computed here."""


@dataclass
class Claims:
    """Claims of this process on trainings, each a file lock, which ends with the process however that ends.

    Whoever claims a training computes and stores it; the others wait for it. A claim decides only who computes: a
    training that is computed twice has the same bytes. A process that holds claims touches their files every few
    seconds, so that others can tell one that was stopped.

    Attributes:
        store: Where the trainings are stored.
        key: Their key.
    """

    store: Store
    key: str
    _locks: dict[int, FileLock] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def full(self) -> bool:
        """Whether no further claim may be held."""
        return len(self._locks) >= MOST

    def take(self, item: int) -> bool:
        """Claim a training, unless another process holds it; True where the file system has no locks."""
        lock = FileLock(self._path(item), thread_local=False, fallback_to_soft=False)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(blocking=False)
        except Timeout:
            return False
        except (OSError, NotImplementedError):  # the latter is how filelock says that there are no locks
            return True
        if not self._locks:
            self._ended.clear()
            threading.Thread(target=self._beat, name="hold claims", daemon=True).start()
        self._locks[item] = lock
        return True

    def release(self, item: int) -> None:
        """Give up a claim, and remove its file: nobody claims what is stored."""
        if (lock := self._locks.pop(item, None)) is not None:
            with suppress(OSError):
                self._path(item).unlink()
            lock.release()
        if not self._locks:
            self._ended.set()

    def close(self) -> None:
        """Give up every claim."""
        for item in list(self._locks):
            self.release(item)
        with suppress(OSError):
            self._folder.rmdir()

    def beats(self, items: Iterable[int]) -> tuple[int, ...]:
        """Return when the holders of some trainings last touched their claims, for comparison with a later time."""
        return tuple(_touched(self._path(item)) for item in items)

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT_SECONDS):
            for item in list(self._locks):
                with suppress(OSError):
                    os.utime(self._path(item))

    def _path(self, item: int) -> Path:
        return self._folder / str(item)

    @property
    def _folder(self) -> Path:
        return self.store.root / "claims" / self.key


def _touched(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@dataclass
class Patience:
    """How long to wait for trainings that other processes hold; one that was stopped gives no sign any more."""

    signs: tuple[int, ...] = ()
    since: float = field(default_factory=time.monotonic)

    @property
    def exhausted(self) -> bool:
        """Whether to compute here what others hold."""
        return time.monotonic() - self.since > _PATIENCE_SECONDS

    def for_holders(self, signs: tuple[int, ...], *, idle: bool) -> None:
        """Note what holders show of being alive, and wait a moment where there is nothing else to do."""
        if signs != self.signs:
            self.signs, self.since = signs, time.monotonic()
        if idle:
            time.sleep(_POLL_SECONDS)
