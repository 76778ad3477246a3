"""Run context: engine, store and progress reporter of a run."""

import hashlib
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.claims import Claims, Patience
from core.runtime.counting import Counting
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.steps import telling
from core.runtime.store import Store

Arrays = Mapping[str, NDArray[Any]]
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_WATCHED = 64


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
        kept: Arrays that the drawings of the result will be drawn from, by the name of the drawing.
    """

    store: Store = field(default_factory=Store)
    engine: Engine = field(default_factory=Engine)
    progress: Progress = field(default_factory=Progress)
    trainings: int = 0
    training_seconds: float = 0.0
    worker_memory_mb: dict[str, float] = field(default_factory=dict)
    kept: dict[str, Arrays] = field(default_factory=dict)
    _claims: list[Claims] = field(default_factory=list, init=False, repr=False)
    _counting: list[Counting] = field(default_factory=list, init=False, repr=False)

    def release(self) -> None:
        """Give up the claims of trainings whose reader failed, and count them no more."""
        for claims in self._claims:
            claims.close()
        for counting in self._counting:
            counting.close()

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
        then: str = "Reading what was trained",
        steps_each: int = 1,
    ) -> Iterator[tuple[int, Arrays]]:
        """Yield ``(item, function(item, **shared, **per_item[item]))`` for every item in any order, each computed once.

        Where another process on this machine computes an item meanwhile, its outcome is waited for. Trainings go on
        and are reported while the reader works on those it has.

        Args:
            stage: What the progress report calls these trainings.
            key: Key of everything that determines the outcome besides the item.
            function: A function of the item that any process can import; returns arrays.
            items: Numbers of the trainings.
            shared: Further arguments, the same for all items.
            per_item: Further arguments of each item.
            then: What the progress report calls the work that the reader still does once all are trained.
            steps_each: Steps of each training that the progress report counts; the training tells them by
                `core.runtime.steps.tell`.
        """
        items = list(items)
        self.store.note_trainings(key)
        names = self.store.array_names(key)
        stored = [item for item in items if str(item) in names]
        missing = sorted(set(items) - set(stored))
        self.progress.stage(stage, total=steps_each * len(items), done=steps_each * len(stored))
        steps = TemporaryDirectory(prefix="telltale-steps-") if steps_each > 1 and missing else None
        folder = None if steps is None else Path(steps.name)
        counting = Counting(self.store, key, self.progress, set(missing), then, steps_each, folder)
        self._counting.append(counting)
        try:
            counting.begin()
            for item in stored:
                if (arrays := self._read(key, item)) is None:
                    missing.append(item)
                    counting.lost(item)
                else:
                    yield item, arrays
            yield from self._missing(key, function, missing, shared, per_item, counting)
        finally:
            self._counting.remove(counting)
            try:
                counting.close()
            finally:
                if steps is not None:
                    steps.cleanup()

    def _missing(
        self,
        key: str,
        function: Callable[..., Arrays],
        missing: list[int],
        shared: Mapping[str, Any],
        per_item: Mapping[int, Mapping[str, Any]] | None,
        counting: Counting,
    ) -> Iterator[tuple[int, Arrays]]:
        """Yield the trainings that are not stored yet, computed here or by another process."""
        claims, waited, unreadable = Claims(self.store, key), Patience(), set[int]()
        self._claims.append(claims)
        # Processes elsewhere lack the folder of the store.
        arguments = {
            "function": function,
            "shared": shared,
            "key": key,
            "store": None if self.engine.address else self.store,
        }
        of_items = {item: {"arguments": further} for item, further in (per_item or {}).items()}
        if counting.steps is not None and not self.engine.address:
            arguments["steps"] = counting.steps
        try:
            while missing:
                left = len(missing)
                claimed = self._claimed(claims, list(missing), unreadable, anyway=waited.exhausted)
                with closing(self.engine.map(_timed, claimed, arguments, of_items)) as trained:
                    for item, timed in trained:
                        self._keep(key, item, timed)
                        claims.release(item)
                        missing.remove(item)
                        counting.stored(item)
                        yield item, timed.arrays
                names = self.store.array_names(key)
                for item in [item for item in missing if str(item) in names]:
                    if (arrays := self._read(key, item)) is None:
                        unreadable.add(item)
                        continue
                    missing.remove(item)
                    counting.stored(item)
                    yield item, arrays
                if missing:
                    waited.for_holders((len(missing), *claims.beats(missing[:_WATCHED])), idle=len(missing) == left)
        finally:
            claims.close()
            self._claims.remove(claims)

    def _claimed(
        self, claims: Claims, items: Iterable[int], unreadable: Collection[int], *, anyway: bool
    ) -> Iterator[int]:
        """Yield the trainings that this process is to compute: those that no other holds, or all of them anyway."""
        for item in items:
            if claims.full:
                return
            if claims.take(item) or anyway:
                if item not in unreadable and self.store.has_arrays(claims.key, str(item)):
                    claims.release(item)
                else:
                    yield item

    def _keep(self, key: str, item: int, timed: "_Timed") -> None:
        if self.engine.address:
            _put(self.store, key, item, timed.arrays, timed.seconds)
        self.trainings += 1
        self.training_seconds += timed.seconds
        self.worker_memory_mb[timed.process] = timed.memory_mb

    def _read(self, key: str, item: int) -> Arrays | None:
        """Return a stored training, or None when it is damaged or was removed meanwhile."""
        arrays = self.store.get_arrays(key, str(item))
        if arrays is not None:
            self.training_seconds += float(arrays.pop("seconds"))
        return arrays

    def stored(self, key: str, items: Iterable[int]) -> dict[int, Arrays] | None:
        """Return the stored arrays of every item, or None when one of them is missing or damaged."""
        items = list(items)
        self.store.note_trainings(key)
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
    """What a training returned, how long it took, the process it ran in, and the peak memory of that so far."""

    arrays: Arrays
    seconds: float
    process: str
    memory_mb: float


def _put(store: Store, key: str, item: int, arrays: Arrays, seconds: float) -> None:
    store.put_arrays(key, str(item), {**arrays, "seconds": np.array(seconds)})


def _timed(
    item: int,
    function: Callable[..., Arrays],
    shared: Mapping[str, Any],
    key: str,
    store: Store | None,
    arguments: Mapping[str, Any] = _NOTHING,
    steps: Path | None = None,
) -> _Timed:
    began = time.perf_counter()
    with telling(steps, item):
        arrays = function(item, **shared, **arguments)
    seconds = time.perf_counter() - began
    if store is not None:
        # Stored by the worker, so that a busy reader does not delay it.
        _put(store, key, item, arrays, seconds)
    return _Timed(arrays, seconds, _process(), _peak_memory_mb())


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
