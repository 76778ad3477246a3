"""Counts trainings as they are stored, even while their reader is busy."""

import threading
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import RunCancelled
from core.runtime.progress import Progress
from core.runtime.steps import steps_taken
from core.runtime.store import Store

_INTERVAL = 0.5


@dataclass
class Counting:
    """Reports each training once, as soon as it is in the store, from a thread that looks there twice a second.

    Once all are stored and the reader still works, the next stage begins, so that none stands full.

    Attributes:
        store: Where the trainings are stored.
        key: Their key.
        progress: Receives them.
        missing: Numbers of those that are not stored yet.
        then: Name of the stage that follows them.
        steps_each: Steps of each training that the progress report counts.
        steps: Folder in which trainings under way tell how many of these they have reached; None where they do not.
    """

    store: Store
    key: str
    progress: Progress
    missing: set[int]
    then: str
    steps_each: int = 1
    steps: Path | None = None
    _reached: dict[int, int] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _over: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _failure: Exception | None = field(default=None, init=False)

    def begin(self) -> None:
        """Begin to look, unless nothing is missing."""
        if self.missing:
            self._thread = threading.Thread(target=self._watch, name="count trainings", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Look no more, so that a later stage counts alone; raise what went wrong in the thread."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self._raise()

    def stored(self, item: int) -> None:
        """Count a training, unless it was counted."""
        self._raise()
        with self._lock:
            if item in self.missing:
                # Where this raises, the item stays missing, so that its reader reports it and learns why.
                self.progress.advance(self.steps_each - self._reached.pop(item, 0))
                self.missing.remove(item)

    def lost(self, item: int) -> None:
        """Take back a training that proved damaged."""
        with self._lock:
            self.missing.add(item)
            self.progress.advance(-self.steps_each)

    def look(self) -> bool:
        """Count what is in the store by now; return whether anything is missing."""
        names = self.store.array_names(self.key)
        for item in [item for item in list(self.missing) if str(item) in names]:
            self.stored(item)
        if self.steps is not None:
            self._count_steps(self.steps)
        return bool(self.missing)

    def _count_steps(self, folder: Path) -> None:
        """Count what trainings under way have told since; the last of their steps only once they are stored."""
        for item in list(self.missing):
            reached = min(steps_taken(folder, item), self.steps_each - 1)
            with self._lock:
                if item in self.missing and reached > (before := self._reached.get(item, 0)):
                    self.progress.advance(reached - before)
                    self._reached[item] = reached

    def _watch(self) -> None:
        try:
            while not self._over.wait(_INTERVAL):
                if not self.look():
                    # What is read at once needs no stage of its own.
                    if not self._over.wait(_INTERVAL):
                        self.progress.stage(self.then)
                    return
        except RunCancelled:
            return  # The next report of the run itself raises it.
        except Exception as error:
            self._failure = error

    def _raise(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
