"""Which process computes a training, where several runs on one machine need the same one."""

import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from core.runtime.store import Store

MOST = 256
"""Claims that a process holds at once; each is an open file."""


@dataclass
class Claims:
    """Claims of this process on trainings, each a file lock, which ends with the process however that ends.

    Whoever claims a training computes and stores it; the others wait for it. A claim decides only who computes: a
    training that is computed twice has the same bytes.

    Attributes:
        store: Where the trainings are stored.
        key: Their key.
    """

    store: Store
    key: str
    _held: dict[int, FileLock] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether no further claim may be held."""
        return len(self._held) >= MOST

    def take(self, item: int) -> bool:
        """Claim a training, unless another process holds it; True where the file system has no locks."""
        lock = FileLock(self._folder / str(item), thread_local=False, fallback_to_soft=False)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(blocking=False)
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            return True
        self._held[item] = lock
        return True

    def release(self, item: int) -> None:
        """Give up a claim."""
        if (lock := self._held.pop(item, None)) is not None:
            lock.release()

    def close(self) -> None:
        """Give up every claim."""
        for item in list(self._held):
            self.release(item)

    def forget(self) -> None:
        """Remove the locks of trainings that are all stored, which nobody claims any more."""
        self.close()
        with suppress(OSError):
            shutil.rmtree(self._folder)

    @property
    def _folder(self) -> Path:
        return self.store.root / "claims" / self.key
