"""How fast a run finishes the items of a stage, or of all epochs of one."""

import re
from collections import deque
from dataclasses import dataclass, field

_EPOCH = re.compile(r"(.*), epoch (\d+) of (\d+)")
_LEAST_ITEMS, _LEAST_SECONDS = 2, 2.0
"""Fewest items and seconds from which a pace is estimated."""
_RECENT = 30.0
"""Seconds whose items give the pace, where they are enough: other work on the machine comes and goes."""
_MARKS = 1.0
"""Least seconds between two moments that are remembered."""
_AT_ONCE = 0.1
"""Items that end within this share of the first one's time end with it, as those of processes side by side."""


@dataclass
class Pace:
    """The latest pace, from the end of the first item on, which waits for libraries and processes to start.

    Epochs that follow one another, ``NAME, epoch 1 of 12`` and so on, count as one stage.

    Attributes:
        name: Name of the stage, or of the epoch, that is under way; empty before the first.
        total: Items of the stage or epoch; 0 when they cannot be counted.
        first: How many of them were finished when it began.
        done: How many of them are finished.
        began: When it began, on the caller's clock.
        whole_began: When the stage began, with all its epochs.
    """

    name: str = field(default="", init=False)
    total: int = field(default=0, init=False)
    first: int = field(default=0, init=False)
    done: int = field(default=0, init=False)
    began: float = field(default=0.0, init=False)
    whole_began: float = field(default=0.0, init=False)
    _start: int = field(default=0, init=False)
    _first_ended: float | None = field(default=None, init=False)
    _marks: deque[tuple[int, float]] = field(default_factory=deque, init=False)

    def stage(self, name: str, total: int, done: int, now: float) -> bool:
        """Begin a stage; return whether it is the next epoch of the one before."""
        title, epoch, _ = epoch_of(self.name)
        expected = (title, epoch + 1, self.whole_total)
        self.name, self.total, self.first, self.began = name, total, done, now
        title, epoch, epochs = epoch_of(name)
        goes_on = epochs > 0 and (title, epoch, self.whole_total) == expected
        if not goes_on:
            self.done, self.whole_began, self._first_ended = done, now, None
            self._start = self.whole_done
        self.advance(done, now)
        return goes_on

    def advance(self, done: int, now: float) -> None:
        """Note how many items of the stage, or of this epoch, are finished."""
        self.done = done
        if self.whole_done > self._start and self._first_ended is None:
            self._first_ended, self._marks = now, deque([(self.whole_done, now)])
        elif (first := self._first_ended) is not None and now - first <= _AT_ONCE * (first - self.whole_began):
            self._marks = deque([(self.whole_done, now)])
        elif self._marks and now - self._marks[-1][1] >= _MARKS:
            self._marks.append((self.whole_done, now))
            while len(self._marks) > 1 and self._is_pace(self._marks[1], now - _RECENT):
                self._marks.popleft()

    @property
    def whole_total(self) -> int:
        """Items of the stage with all its epochs; 0 when they cannot be counted."""
        _, _, epochs = epoch_of(self.name)
        return max(self.total, 1) * epochs if epochs > 1 else self.total

    @property
    def whole_done(self) -> int:
        """How many of them are finished."""
        _, epoch, epochs = epoch_of(self.name)
        return (max(self.total, 1) * (epoch - 1) if epochs > 1 else 0) + self.done

    @property
    def left(self) -> int:
        """How many of them are left."""
        return max(self.whole_total - self.whole_done, 0)

    @property
    def finished(self) -> float:
        """Finished share of them, from 0 to 1."""
        return min(max(self.whole_done / self.whole_total, 0.0), 1.0) if self.whole_total else 0.0

    def seconds(self, now: float) -> float | None:
        """Return the seconds that an item takes, or None before that can be told."""
        if self._first_ended is None or not self._is_pace(self._marks[0], now - _LEAST_SECONDS):
            return None
        done, moment = self._marks[0]
        return (now - moment) / (self.whole_done - done)

    @property
    def reached(self) -> float:
        """Share that the items of this run have reached, counting the one under way as finished; above 0."""
        return min((self._finished_here + 1) / max(self.whole_total - self._start, 1), 1.0)

    def least(self, now: float) -> float:
        """Return the seconds that are surely left: while half of the items are, as many as it took so far."""
        return min(self.left / (self._finished_here + 1), 1.0) * (now - self.whole_began)

    def _is_pace(self, mark: tuple[int, float], latest: float) -> bool:
        """Tell whether enough items were finished since a moment, and it is no later than another."""
        done, moment = mark
        return self.whole_done - done >= _LEAST_ITEMS and moment <= latest

    @property
    def _finished_here(self) -> int:
        return max(self.whole_done - self._start, 0)


def epoch_of(name: str) -> tuple[str, int, int]:
    """Return the name of a stage without the epoch, the number of the epoch, and how many there are; 0 for none."""
    match = _EPOCH.fullmatch(name)
    return (match[1], int(match[2]), int(match[3])) if match else (name, 1, 0)
