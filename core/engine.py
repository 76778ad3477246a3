"""Maps a function over many small trainings: processes on this machine, or Dask workers on others."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

from core.errors import InvalidSpec, WorkerLost

_ATTEMPTS = 3

Item = TypeVar("Item")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Engine:
    """Where the trainings of a run take place.

    Attributes:
        address: ``tcp://host:port`` of a Dask scheduler, or empty for processes on this machine.
        workers: How many processes; the number of cores when 0. Dask decides for itself.
    """

    address: str = ""
    workers: int = 0

    def __post_init__(self) -> None:
        """Refuse an address that Dask could not use."""
        if self.address and not self.address.startswith(("tcp://", "tls://")):
            raise InvalidSpec(
                f"The engine must be a Dask scheduler's address such as 'tcp://host:8786'. Got {self.address!r} instead.",
                "engine",
            )

    @property
    def processes(self) -> int:
        """Number of processes used on this machine."""
        return self.workers or len(os.sched_getaffinity(0))

    def map(
        self, function: Callable[..., Out], items: Iterable[Item], shared: Mapping[str, Any]
    ) -> Iterator[tuple[Item, Out]]:
        """Yield ``(item, function(item, **shared))`` as the calls finish, in any order.

        Large arrays in ``shared`` are kept once: memory-mapped by the processes of this machine, or scattered to the
        Dask workers. When a worker dies, what it held is computed again.

        Raises:
            WorkerLost: Workers died repeatedly without finishing anything.
        """
        waiting = list(items)
        failures = 0
        while waiting:
            before = len(waiting)
            try:
                for item, out in self._once(function, waiting, shared):
                    waiting.remove(item)
                    yield item, out
            except _lost_workers() as error:
                failures = failures + 1 if len(waiting) == before else 1
                if failures >= _ATTEMPTS:
                    raise WorkerLost(
                        f"Worker processes died {failures} times in a row with {len(waiting)} trainings left "
                        f"({type(error).__name__}). Memory may be short: try fewer workers."
                    ) from error

    def _once(
        self, function: Callable[..., Out], items: list[Item], shared: Mapping[str, Any]
    ) -> Iterator[tuple[Item, Out]]:
        from joblib import Parallel, delayed, parallel_config

        backend: AbstractContextManager[Any] = nullcontext()
        if self.address:
            backend = parallel_config(backend="dask", scatter=list(shared.values()), wait_for_workers_timeout=30)
        with self._client(), backend:
            jobs = Parallel(
                n_jobs=-1 if self.address else self.processes, return_as="generator_unordered", pre_dispatch="2*n_jobs"
            )
            yield from jobs(delayed(_call)(function, item, dict(shared)) for item in list(items))

    def _client(self) -> AbstractContextManager[Any]:
        if not self.address:
            return nullcontext()
        from distributed import Client

        return Client(self.address, timeout="10s")  # type: ignore[no-untyped-call]


def _call(function: Callable[..., Out], item: Item, shared: Mapping[str, Any]) -> tuple[Item, Out]:
    return item, function(item, **shared)


def _lost_workers() -> tuple[type[BaseException], ...]:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        from distributed import KilledWorker
    except ImportError:
        return (TerminatedWorkerError,)
    return TerminatedWorkerError, KilledWorker
