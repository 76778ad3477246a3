"""Copies of a process that all want the same trainings; few imports, for each worker of a cluster makes them."""

import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np

from core.runtime.context import Arrays, RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.patience import PATIENCE

Answer = tuple[int, list[tuple[int, int]]]
"""How many trainings a claimant computed itself, and the square of each number."""


def noted(item: int, folder: str, seconds: float) -> Arrays:
    """Square a number slowly, and leave a file for each time."""
    name = f"{item}-{time.monotonic_ns()}-{os.getpid()}"
    (Path(folder) / name).touch()
    time.sleep(seconds)
    return {"square": np.array(item * item)}


def computed(folder: Path) -> list[int]:
    """Return which numbers were squared, each as often as it was."""
    return sorted(int(path.name.partition("-")[0]) for path in folder.iterdir())


@dataclass(frozen=True)
class Claimant:
    """A copy of this process, and where it answers."""

    process: BaseProcess
    receiver: Connection

    @classmethod
    def of(cls, folder: Path, count: int, seconds: float, address: str = "") -> "Claimant":
        """Start to square numbers, on a cluster where an address is given."""
        folder.mkdir(exist_ok=True)
        copies = multiprocessing.get_context("fork")
        receiver, sender = copies.Pipe(duplex=False)
        process = copies.Process(target=_square, args=(sender, str(folder), count, seconds, address))
        process.start()
        sender.close()
        return cls(process, receiver)

    def answer(self) -> Answer:
        """Wait for the answer, and for the end."""
        assert self.receiver.poll(PATIENCE), "no answer"
        answer: Answer = self.receiver.recv()
        self.process.join(PATIENCE)
        return answer


def _square(sender: Connection, folder: str, count: int, seconds: float, address: str) -> None:
    context = RunContext(Store(), Engine(address, workers=1))
    shared = {"folder": folder, "seconds": seconds}
    trained = context.train("Squaring", "key", noted, range(count), shared)
    squares = {item: int(arrays["square"]) for item, arrays in trained}
    sender.send((context.trainings, sorted(squares.items())))


def answers(folder: Path, count: int, seconds: float, addresses: Sequence[str]) -> list[Answer]:
    """Let a claimant for each address begin at once; return what they answer."""
    claimants = [Claimant.of(folder, count, seconds, address) for address in addresses]
    return [claimant.answer() for claimant in claimants]
