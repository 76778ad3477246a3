"""What this machine has for runs, and how much of it each takes, so that small runs go side by side."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidSpec
from core.runtime import memory

_TO_SPARE = 4
"""A run that waits alone leaves one in so many free places to the next."""


@dataclass(frozen=True)
class Capacity:
    """Places for processes that train: a core each, and memory for such a process and as much for what reads it.

    All runs together may take no more than the memory that the machine has for so many places. Only a run that has
    the machine to itself may take more in each process.

    Attributes:
        cores: Cores of this machine.
        places: Processes that may train at once, by cores and by memory.
        each: Bytes that each of them may take where runs go side by side; 0 for no limit.
    """

    cores: int
    places: int
    each: int = 0

    @classmethod
    def of_machine(cls) -> "Capacity":
        """Return what this machine has."""
        cores = len(os.sched_getaffinity(0))
        try:
            each = memory.allowed(2 * cores)
        except InvalidSpec:
            return cls(cores, 1)  # The run itself says what is wrong with the limit.
        return cls(cores, max(min(cores, memory.for_runs() // (2 * each)), 1) if each else cores, each)

    def grant(self, taken: Sequence[int], waiting: int) -> int:
        """Return how many places the next waiting run gets; 0 while it has to wait.

        A run that waits alone leaves a quarter of what is free, rounded down, to the next. Several share alike.

        Args:
            taken: Places of each run under way.
            waiting: How many runs wait, the next included.
        """
        free = self.places - sum(taken)
        if waiting <= 0 or (taken and free <= 0):
            return 0
        if not taken and (self.places == 1 or (waiting == 1 and free < _TO_SPARE)):
            return self.cores
        return max(free // waiting, 1) if waiting > 1 else free - free // _TO_SPARE

    def limits(self, places: int) -> tuple[int, int]:
        """Return the bytes that the process of a run may take, and each process that trains for it; 0 for no limit.

        Raises:
            InvalidSpec: The environment holds no number of gigabytes.
        """
        if places >= self.cores:  # no other run fits beside it
            return memory.allowed(), memory.allowed(places)
        return min(memory.allowed(), places * self.each), self.each
