"""CPU-adjusted run time: time without waiting for cores, and the slowdown by other work."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_EVERY = 2.0
"""Seconds between two looks at the threads."""
_MEMORY = 0.8
"""Weight of what was seen before at each look: other work comes and goes within seconds."""
_LEAST = 0.05
"""Least seconds on a core between two looks from which a slowdown is measured."""
_SETTLED = 3
"""Looks after which the slowdown is reported if they agree, the first being at the start."""
_AGREED = 2.0
"""Looks agree where their slowdowns differ by no more than this factor."""
_AT_LAST = 20.0
"""Seconds after which the slowdown is reported though no looks agree."""
_PATIENT = 10
"""Looks without work after which a run that waits for a disk or a network uses wall-clock time."""
_MOST = 50.0
"""Greatest slowdown that is believed."""

Spent = dict[tuple[int, int], tuple[float, float]]
"""Seconds on a core, and waiting for one, of each thread by the numbers of its process and of itself."""


def spent() -> Spent:
    """Return what the threads of this process and of those that it started have spent so far.

    Linux counts both for each thread in ``schedstat``; elsewhere, and where that cannot be read, nothing is returned.
    """
    family = [os.getpid()]
    with suppress(psutil.Error):
        family += [child.pid for child in psutil.Process(family[0]).children(recursive=True)]
    return {key: seconds for pid in family for key, seconds in _threads(pid)}


def _threads(pid: int) -> Iterator[tuple[tuple[int, int], tuple[float, float]]]:
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError, ValueError):
                on_core, waiting, *_ = (thread / "schedstat").read_text().split()
                yield (pid, int(thread.name)), (int(on_core) / 1e9, int(waiting) / 1e9)


@dataclass
class Effort:
    """A clock that stands still while the threads of a run wait for a core.

    More threads than it has cores are counted as waiting for no more than these cores: one after another, those threads
    would have done their work as fast.

    Attributes:
        look: Returns what the threads have spent so far.
        clock: Returns seconds that only grow.
        cores: How many cores it may use at once.
        slowdown: Wall-clock seconds for each second of this clock, by the latest looks; 1 on an idle machine.
        looks: How many looks it rests on; a start is seldom like the rest, so a look that disagrees begins anew.
        idle: How many looks found next to no work.
    """

    look: Callable[[], Spent] = spent
    clock: Callable[[], float] = time.monotonic
    cores: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    slowdown: float = field(default=1.0, init=False)
    looks: int = field(default=0, init=False)
    idle: int = field(default=0, init=False)
    _seen: Spent = field(default_factory=dict, init=False)
    _on_core: float = field(default=0.0, init=False)
    _waiting: float = field(default=0.0, init=False)
    _now: float = field(default=0.0, init=False)
    _at: float = field(default=0.0, init=False)
    _looked: float = field(default=0.0, init=False)
    _unseen: float = field(default=0.0, init=False)
    _began: float = field(default=0.0, init=False)
    _settled: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Begin with what the process has spent since it started."""
        self._at = self._looked = self._began = self.clock()
        self._measure(float("inf"))

    def __call__(self) -> float:
        """Return the seconds that a run would have taken by now that had its cores to itself."""
        at = self.clock()
        if at - self._looked >= _EVERY:
            self._measure(at - self._looked)
            self._looked = at
        self._now, self._at = self._now + (at - self._at) / self.slowdown, at
        return self._now

    def settled_slowdown(self) -> float | None:
        """Return the slowdown, or None while it rests on so little that the next look may show another."""
        self._settled |= self.looks >= _SETTLED or self.clock() - self._began >= _AT_LAST
        is_settled = self._settled or self.idle >= _PATIENT or not self._seen
        return self.slowdown if is_settled else None

    def _measure(self, passed: float) -> None:
        """Look at the threads, ``passed`` seconds after the last look."""
        spent = self.look()
        since = [(spent[key], self._seen.get(key, (0.0, 0.0))) for key in spent]
        on_core = sum(max(now[0] - before[0], 0.0) for now, before in since)
        waiting = sum(max(now[1] - before[1], 0.0) for now, before in since)
        self._unseen += passed
        if self._seen and on_core < _LEAST:
            self.idle += 1
            return  # what is too little to tell by is added to what the next look finds
        waiting = min(waiting, max(self.cores * self._unseen - on_core, 0.0))
        self._seen, self._unseen = spent, 0.0
        if on_core >= _LEAST:
            looked = 1.0 + waiting / on_core
            if not self._settled and not self.slowdown / _AGREED <= looked <= self.slowdown * _AGREED:
                self.looks, self._on_core, self._waiting = 0, 0.0, 0.0
            self.looks += 1
            self._on_core = _MEMORY * self._on_core + on_core
            self._waiting = _MEMORY * self._waiting + waiting
            self.slowdown = min(1.0 + self._waiting / self._on_core, _MOST)
