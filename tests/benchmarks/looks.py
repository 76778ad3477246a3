"""What a look at a long queue and at a full server of rooms costs, against a look that checks and reads everything.

Run with python -m.
"""

import fcntl
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from core.experiment import Experiment
from core.jobs import Jobs
from core.jobs.capacity import Capacity
from core.jobs.job import sealed_rows
from core.jobs.queue_file import QueueFile
from core.runtime import known_intact
from core.runtime.sealed_text import sealed
from core.runtime.store import Store
from dashboard.room.rooms import MOST_PEOPLE, Rooms
from dashboard.room.rooms_file import RoomsFile
from tests.benchmarks import limits

JOBS, ROOMS, TURNS = 1_000, 10, 21
ONE = Capacity(1, 1)
LIMIT = 0.1
HOST = "1" * 32


@dataclass(frozen=True)
class Held(Jobs):
    """A queue with room for one run, which is this very process."""

    capacity: Capacity = ONE
    locks: ExitStack = field(default_factory=ExitStack)

    def _start(self, key: str, token: str) -> None:
        self._locks.mkdir(exist_ok=True)
        lock = self.locks.enter_context((self._locks / token).open("xb"))
        fcntl.flock(lock, fcntl.LOCK_EX)


def main() -> None:
    """Time the looks of a page with a run that waits, and of a screen in a room, in turns."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as locks:
        store = Store(root=Path(name) / "home", shipped=Path(name) / "shipped")
        store.root.mkdir()
        figures = {"queue": _queue(Held(store, locks=locks)), "room": _room(Rooms(store))}
    ratios = {what: figure["at_rest"] / figure["everything"] for what, figure in figures.items()}
    line = {
        "name": "looks",
        "ratio": round(max(ratios.values()), 3),
        "compared": (
            f"processor seconds of a look at a queue of {JOBS:,} jobs, or at one of {ROOMS} rooms with {MOST_PEOPLE} "
            "people each, over those of a look that checks and reads everything, as all did before; the larger of the "
            f"two, while the file does not change; lower is better, and the limit is {LIMIT}"
        ),
        "figures": {what: {when: f"{1000 * cost:.2f} ms" for when, cost in of.items()} for what, of in figures.items()},
    }
    limits.end(line, {f"share of a look at everything, {what}": (ratio, LIMIT) for what, ratio in ratios.items()})


def _queue(jobs: Held) -> dict[str, float]:
    """Return what a page costs each second that follows a run which waits behind another one and many ended ones."""
    experiment = Experiment.preset("word_pairs", "demo").as_dict()
    columns = "key, experiment, asked, started, ended, curve, state"

    def filled(database: sqlite3.Connection) -> None:
        for number in range(JOBS):
            key, moment = f"{number:016x}", 1e9 + number
            values = (key, sealed(key, {**experiment, "seed": number}), moment, moment, moment, sealed_rows(key, []))
            database.execute(f"insert into jobs ({columns}) values (?, ?, ?, ?, ?, ?, 'done')", values)

    QueueFile(jobs.store).change(filled)
    token, waiting = jobs.ask(experiment, "a" * 16).token, jobs.ask(experiment, "b" * 16).key

    def look() -> None:
        jobs.tend()
        assert jobs.find(waiting) is not None

    def everything() -> None:
        for _ in ("tend", "find"):
            assert len(jobs.all()) == JOBS + 2

    return _compared(look, everything, lambda: jobs.update("a" * 16, token, done=1))


def _room(rooms: Rooms) -> dict[str, float]:
    """Return what a screen costs each second that follows a room, on a server with many."""
    codes = [rooms.start("mailbox", HOST)[0].code for _ in range(ROOMS)]

    def joined(database: sqlite3.Connection) -> None:
        for code in codes:
            people = ((code, f"{number:032x}", f"Person {number}", time.time()) for number in range(MOST_PEOPLE - 1))
            columns = "room, visitor, role, nickname, joined"
            database.executemany(f"insert into people ({columns}) values (?, ?, 'participant', ?, ?)", people)

    RoomsFile(rooms.store).change(joined)

    def look() -> None:
        assert rooms.standing(codes[0], 1).revision >= 0

    return _compared(look, look, lambda: rooms.go(codes[1], HOST, 1))


def _compared(
    look: Callable[[], None], everything: Callable[[], None], change: Callable[[], object]
) -> dict[str, float]:
    """Return the median costs of a look at a file at rest, at one just changed, and of a look at everything."""
    rest, changed, whole = [], [], []
    for _ in range(TURNS):
        change()
        changed.append(_cost(look))
        time.sleep(0.1)
        look()
        rest.append(_cost(look))
        with mock.patch.object(known_intact, "is_known", return_value=False):
            whole.append(_cost(everything))
    return {
        "at_rest": statistics.median(rest),
        "changed": statistics.median(changed),
        "everything": statistics.median(whole),
    }


def _cost(act: Callable[[], None]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
