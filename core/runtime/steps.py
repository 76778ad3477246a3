"""Steps of a training under way, told to whoever counts trainings by a small file of this machine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

_INTERVAL = 0.3
"""Seconds between two writes."""


@dataclass
class _Teller:
    path: Path
    written: float = field(default=float("-inf"))


_teller: ContextVar[_Teller | None] = ContextVar("steps of a training", default=None)


@contextmanager
def telling(folder: Path | None, item: int) -> Iterator[None]:
    """Let the training of an item tell its steps in a folder; None where nobody counts them."""
    token = _teller.set(None if folder is None else _Teller(folder / str(item)))
    try:
        yield
    finally:
        _teller.reset(token)


def tell(done: int) -> None:
    """Write how many steps the training has taken, a few times a second at most. A write error is ignored."""
    teller = _teller.get()
    if teller is None or time.monotonic() - teller.written < _INTERVAL:
        return
    teller.written = time.monotonic()
    with suppress(OSError):
        teller.path.write_text(str(done))


def steps_taken(folder: Path, item: int) -> int:
    """Return how many steps the training of an item has told; 0 before it tells any."""
    with suppress(OSError, ValueError):
        return int((folder / str(item)).read_text())
    return 0
