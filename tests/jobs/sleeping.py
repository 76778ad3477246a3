"""Queues whose runs do nothing; few imports, for the servers of tests make them all."""

import subprocess
import sys
from dataclasses import dataclass

from core.jobs import Jobs
from core.jobs.capacity import Capacity
from tests.patience import FOREVER, PATIENCE

ONE = Capacity(1, 1)
BELOW = f"import os, time; parent = os.getppid()\nwhile os.getppid() == parent: time.sleep({PATIENCE})"
"""It ends some time after its parent, so that no test leaves it behind."""
WAITING = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {BELOW!r}])
time.sleep({FOREVER})
"""
WATCHING = f"""
import sys, time
from core.jobs import Jobs
from core.jobs.worker import leaving_when_replaced
from core.runtime.store import Store
with leaving_when_replaced(Jobs(Store()), *sys.argv[1:]):
    time.sleep({FOREVER})
"""
started: list[subprocess.Popen[bytes]] = []
"""The runs that this process has started."""


@dataclass(frozen=True)
class Idle(Jobs):
    """A queue whose runs do nothing: each is a process with another below it, both asleep. One has room at a time."""

    capacity: Capacity = ONE

    def _start(self, key: str, token: str) -> None:
        started.append(self._launch([sys.executable, "-c", WAITING], key, token))


@dataclass(frozen=True)
class Watching(Jobs):
    """A queue whose runs do nothing but look whether they are still wanted."""

    capacity: Capacity = ONE

    def _start(self, key: str, token: str) -> None:
        started.append(self._launch([sys.executable, "-c", WATCHING, key, token], key, token))
