"""Cores and memory of this machine, and the share of each run, so that small runs go side by side."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidSpec
from core.runtime import memory

_LEAST = 10**9
"""Bytes that each process gets even where the machine has too few."""
_TO_SPARE = 4
"""A run that waits alone leaves 1 in this many free places to the next."""


@dataclass(frozen=True)
class Capacity:
    """Places for processes that train: a core each, and memory for such a process and as much for what reads it.

    All runs together, with their processes, may take no more than three quarters of the machine's memory. A run that
    has the machine to itself may take all of that, in more places or more in each. Only where the environment sets a
    limit for each process, or memory is short of a gigabyte for two of them, may a run that is alone take more.

    Attributes:
        cores: Cores of this machine.
        places: Processes that may train at once, by cores and by memory.
        bytes_each: Bytes that each of them may take where runs go side by side; 0 for no limit.
        alone: Places of a run that has the machine to itself and memory for few; 0 for all cores.
    """

    cores: int
    places: int
    bytes_each: int = 0
    alone: int = 0

    @classmethod
    def of_machine(cls) -> "Capacity":
        """Return what this machine has."""
        cores = len(os.sched_getaffinity(0))
        try:
            bytes_each = memory.allowed(2 * cores)
        except InvalidSpec:
            return cls(cores, 1)  # The run itself says what is wrong with the limit.
        if not bytes_each:
            return cls(cores, cores)
        places, alone = memory.for_runs() // (2 * bytes_each), memory.for_runs() // bytes_each - 1
        return cls(cores, max(min(cores, places), 1), bytes_each, max(min(cores, alone), 1))

    def grant(self, running: Sequence[int], waiting: int) -> int:
        """Return how many places the next waiting run gets; 0 while it has to wait.

        A run that waits alone leaves a quarter of what is free, rounded down, to the next. Several share alike.

        Args:
            running: Places of each run under way.
            waiting: How many runs wait, the next included.
        """
        free = self.places - sum(running)
        if waiting <= 0 or (running and free <= 0):
            return 0
        if not running and (self.places == 1 or (waiting == 1 and free < _TO_SPARE)):
            return self.alone or self.cores
        return max(free // waiting, 1) if waiting > 1 else free - free // _TO_SPARE

    def limits(self, places: int) -> tuple[int, int]:
        """Return the bytes that the process of a run may take, and each process that trains for it; 0 for no limit.

        Raises:
            InvalidSpec: The environment holds no number of gigabytes.
        """
        if not self.bytes_each or memory.is_configured():
            return memory.allowed(), self.bytes_each
        if places < self.places:
            return places * self.bytes_each, self.bytes_each
        # No other run fits beside it. What it reads with gets as much as all that train, where each of them has enough.
        total = memory.for_runs()
        bytes_each = max(min(max(total // (2 * places), self.bytes_each), total // (places + 1)), _LEAST)
        return max(total - places * bytes_each, _LEAST), bytes_each
