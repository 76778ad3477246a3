"""How fast a run finishes the items of a stage, or of all epochs of one."""

import re
from dataclasses import dataclass, field

_EPOCH = re.compile(r"(.*), epoch (\d+) of (\d+)")
_LEAST_ITEMS, _LEAST_SECONDS = 2, 2.0
"""A pace is told from so many items and seconds on."""
_AT_ONCE = 0.1
"""Items that end within this share of the first one's time end with it, as those of processes side by side."""


@dataclass
class Pace:
    """The pace from the end of the first item on, which waits for libraries and processes to start.

    Epochs that follow one another, ``NAME, epoch 1 of 12`` and so on, count as one stage.

    Attributes:
        name: Name of the stage, without the epoch.
        total: Items of the stage, or of all its epochs; 0 when they cannot be counted.
        done: How many of them are finished.
        began: When it began, on the clock of whoever calls.
    """

    name: str = field(default="", init=False)
    total: int = field(default=0, init=False)
    done: int = field(default=0, init=False)
    began: float = field(default=0.0, init=False)
    _epoch: int = field(default=0, init=False)
    _before: int = field(default=0, init=False)
    _start: int = field(default=0, init=False)
    _first: float | None = field(default=None, init=False)
    _since: tuple[int, float] = field(default=(0, 0.0), init=False)

    def stage(self, name: str, total: int, done: int, now: float) -> bool:
        """Begin a stage; return whether it is the next epoch of the one before."""
        found = _EPOCH.fullmatch(name)
        title, epoch, epochs = (found[1], int(found[2]), int(found[3])) if found else (name, 1, 1)
        each = max(total, 1) if epochs > 1 else total
        goes_on = bool(found) and (title, epoch, each * epochs) == (self.name, self._epoch + 1, self.total)
        self._epoch, self._before = epoch, each * (epoch - 1)
        if not goes_on:
            self.name, self.total, self.began, self._first = title, each * epochs, now, None
            self._start = self.done = self._before + done
        self.advance(done, now)
        return goes_on

    def advance(self, done: int, now: float) -> None:
        """Note how many items of the stage, or of this epoch, are finished."""
        self.done = self._before + done
        if self.done > self._start and self._first is None:
            self._first, self._since = now, (self.done, now)
        elif self._first is not None and now - self._first <= _AT_ONCE * (self._first - self.began):
            self._since = self.done, now

    @property
    def left(self) -> int:
        """How many items are left."""
        return max(self.total - self.done, 0)

    @property
    def finished(self) -> float:
        """Finished share of the items, from 0 to 1."""
        return min(max(self.done / self.total, 0.0), 1.0) if self.total else 0.0

    def seconds(self, now: float) -> float | None:
        """Return the seconds that an item takes, or None before that can be told."""
        items, spent = self.done - self._since[0], now - self._since[1]
        if self._first is None or items < _LEAST_ITEMS or spent < _LEAST_SECONDS:
            return None
        return spent / items

    @property
    def reached(self) -> float:
        """Share that the items of this run have reached, counting the one under way as finished; above 0."""
        return min((max(self.done - self._start, 0) + 1) / max(self.total - self._start, 1), 1.0)

    def least(self, now: float) -> float:
        """Return the seconds that are surely left: while half of the items are, as many as it took so far."""
        return min(self.left / (max(self.done - self._start, 0) + 1), 1.0) * (now - self.began)
