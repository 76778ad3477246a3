"""Run context: engine, store and progress reporter of a run."""

import hashlib
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store

Arrays = Mapping[str, NDArray[Any]]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def content_key(*arrays: NDArray[Any]) -> str:
    """Return 16 hex digits of a digest of arrays: shapes, types and contents."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(repr((array.shape, array.dtype.str)).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:16]


@dataclass
class RunContext:
    """Engine, store and progress reporter of a run, and what its trainings took.

    Attributes:
        store: Keeps each training as soon as it is finished.
        engine: Runs the trainings.
        progress: Receives every stage and every finished training.
        trainings: Number of trainings computed by this run, rather than read from the store.
        training_seconds: Seconds spent inside all trainings, stored ones included.
        worker_memory_mb: Peak resident memory of each training process, by its name.
    """

    store: Store = field(default_factory=Store)
    engine: Engine = field(default_factory=Engine)
    progress: Progress = field(default_factory=Progress)
    trainings: int = 0
    training_seconds: float = 0.0
    worker_memory_mb: dict[str, float] = field(default_factory=dict)

    @property
    def peak_memory_mb(self) -> float:
        """Peak resident memory of this process and its training processes, added up, in megabytes."""
        return sum({**self.worker_memory_mb, _process(): _peak_memory_mb()}.values())

    def train(
        self,
        stage: str,
        key: str,
        function: Callable[..., Arrays],
        items: Iterable[int],
        shared: Mapping[str, Any],
        per_item: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> Iterator[tuple[int, Arrays]]:
        """Yield ``(item, function(item, **shared, **per_item[item]))`` for every item in any order, each computed once.

        Args:
            stage: What the progress report calls these trainings.
            key: Key of everything that determines the outcome besides the item.
            function: A function of the item that any process can import; returns arrays.
            items: Numbers of the trainings.
            shared: Further arguments, the same for all items.
            per_item: Further arguments of each item.
        """
        items = list(items)
        names = self.store.array_names(key)
        stored = [item for item in items if str(item) in names]
        missing = set(items) - set(stored)
        self.progress.stage(stage, total=len(items), done=len(stored))
        for item in stored:
            arrays = self.store.get_arrays(key, str(item))
            if arrays is None:
                missing.add(item)
                self.progress.advance(-1)
            else:
                self.training_seconds += float(arrays.pop("seconds"))
                yield item, arrays
        with closing(
            self.engine.map(_timed, sorted(missing), {"function": function, "shared": shared}, _wrapped(per_item))
        ) as trained:
            for item, timed in trained:
                self.store.put_arrays(key, str(item), {**timed.arrays, "seconds": np.array(timed.seconds)})
                self.trainings += 1
                self.training_seconds += timed.seconds
                self.worker_memory_mb[timed.process] = timed.memory_mb
                self.progress.advance()
                yield item, timed.arrays

    def stored(self, key: str, items: Iterable[int]) -> dict[int, Arrays] | None:
        """Return the stored arrays of every item, or None when one of them is missing or damaged.

        Args:
            key: Key of the trainings.
            items: Numbers of the trainings.
        """
        items = list(items)
        if not self.store.array_names(key) >= {str(item) for item in items}:
            return None
        states: dict[int, Arrays] = {}
        seconds = 0.0
        for item in items:
            if (arrays := self.store.get_arrays(key, str(item))) is None:
                return None
            seconds += float(arrays.pop("seconds"))
            states[item] = arrays
        self.training_seconds += seconds
        return states


@dataclass(frozen=True)
class _Timed:
    """The outcome of a training and its cost.

    Attributes:
        arrays: What the training returned.
        seconds: Its duration.
        process: Machine and number of the process it ran in.
        memory_mb: Peak resident memory of that process so far, in megabytes.
    """

    arrays: Arrays
    seconds: float
    process: str
    memory_mb: float


def _wrapped(per_item: Mapping[int, Mapping[str, Any]] | None) -> dict[int, Mapping[str, Any]]:
    return {item: {"arguments": arguments} for item, arguments in (per_item or {}).items()}


def _timed(
    item: int, function: Callable[..., Arrays], shared: Mapping[str, Any], arguments: Mapping[str, Any] = _NOTHING
) -> _Timed:
    began = time.perf_counter()
    arrays = function(item, **shared, **arguments)
    return _Timed(arrays, time.perf_counter() - began, _process(), _peak_memory_mb())


def _process() -> str:
    return f"{platform.node()} {os.getpid()}"


def _peak_memory_mb() -> float:
    # On Linux, children inherit the peak of their parent, except in this file.
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        if "VmHWM" in lines:
            return int(lines["VmHWM"].split()[0]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
