"""Maps a function over many small trainings: processes on this machine, or Dask workers on others."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, TypeVar
from urllib.parse import urlsplit

from core.errors import InvalidSpec, WorkerLost
from core.runtime import dask_cluster, memory
from core.runtime.threads import in_one_thread

_ATTEMPTS = 3
MOST_WORKERS = 256
_ORPHAN_SECONDS = 1.0

Item = TypeVar("Item")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Engine:
    """Runs trainings in processes on this machine, or on Dask workers.

    Attributes:
        address: ``tcp://host:port`` of a Dask scheduler, or empty for processes on this machine.
        workers: Number of processes; the number of cores when 0. Dask ignores it.
        memory: Bytes that each process may take, 0 for no limit; None shares this machine's among them.
    """

    address: str = ""
    workers: int = 0
    memory: int | None = None

    def __post_init__(self) -> None:
        """Check address and number of workers.

        Raises:
            InvalidSpec: The address is not that of a Dask scheduler, or the number of workers is out of range.
        """
        if self.address and not _is_address(self.address):
            raise InvalidSpec(
                f"--engine must be a Dask scheduler's address such as 'tcp://host:8786'. Got {self.address!r} instead.",
                "engine",
            )
        if not 0 <= self.workers <= MOST_WORKERS:
            raise InvalidSpec(
                f"--workers must be between 0 (one a core) and {MOST_WORKERS}. Got {self.workers!r} instead.",
                "workers",
            )

    @property
    def processes(self) -> int:
        """Number of processes used on this machine."""
        return self.workers or len(os.sched_getaffinity(0))

    def map(
        self,
        function: Callable[..., Out],
        items: Iterable[Item],
        shared: Mapping[str, Any],
        per_item: Mapping[Item, Mapping[str, Any]] | None = None,
    ) -> Generator[tuple[Item, Out], None, None]:
        """Yield ``(item, function(item, **shared, **per_item[item]))`` as the calls finish, in any order.

        Large arrays in ``shared`` exist once: memory-mapped by the processes of this machine, or sent once to each Dask
        worker. Calls that a dead or silent worker left unfinished are repeated. Closing the iterator early ends the
        workers.

        Args:
            function: A function that any process can import.
            items: First argument of each call; on this machine, taken when a process is about to be free for it.
            shared: Arguments that are the same for all items.
            per_item: Further arguments of each item, sent with its call only.

        Raises:
            EngineUnreachable: No Dask scheduler answers, or it has no workers.
            WorkerLost: Workers died or fell silent repeatedly without finishing anything.
            OutOfMemory: A worker met its memory limit.
            InvalidSpec: The environment says no number of gigabytes for that limit.
        """
        outcomes = partial(dask_cluster.outcomes, self.address) if self.address else self._outcomes
        started: list[Item] = []
        remaining = _noting(items, started)
        failures = 0
        while upcoming := _unless_empty(chain(list(started), remaining)):
            progressed = False
            try:
                with closing(outcomes(partial(_call, function), upcoming, dict(shared), per_item or {})) as finished:
                    for item, out in finished:
                        started.remove(item)
                        progressed = True
                        yield item, out
            except _lost_workers(bool(self.address)) as error:
                failures = 1 if progressed else failures + 1
                if failures >= _ATTEMPTS:
                    raise WorkerLost(
                        f"Worker processes died or fell silent {failures} times in a row with {len(started)} trainings "
                        f"left ({type(error).__name__}). Memory may be short: try fewer workers, or a higher "
                        f"{memory.VARIABLE}."
                    ) from error

    def _outcomes(
        self,
        call: Callable[..., tuple[Item, Out]],
        items: Iterator[Item],
        shared: Mapping[str, Any],
        per_item: Mapping[Item, Mapping[str, Any]],
    ) -> Generator[tuple[Item, Out], None, None]:
        """Do on this machine what `core.runtime.dask_cluster.outcomes` does on others."""
        from joblib import Parallel, delayed

        # joblib warns when it replaces a process that has grown, if only by importing torch; no work is lost.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
        parallel = Parallel(
            n_jobs=self.processes,
            backend="loky",
            return_as="generator_unordered",
            pre_dispatch="2*n_jobs",
            initializer=_begin,
            initargs=(memory.allowed(self.processes) if self.memory is None else self.memory, os.getpid()),
        )
        with _ignoring_interrupts():
            finished = parallel(delayed(call)(item, shared, per_item.get(item, {})) for item in items)
        try:
            for outcome in finished:  # noqa: UP028 - "yield from" would close it before the filter below is set
                yield outcome
        finally:
            with warnings.catch_warnings(), _ignoring_late_calls():
                # joblib warns that not every outcome was read, which whoever closed this iterator intended.
                warnings.filterwarnings("ignore", category=UserWarning)
                finished.close()


def _noting(items: Iterable[Item], started: list[Item]) -> Iterator[Item]:
    """Yield items, and append each to those that were started."""
    for item in items:
        started.append(item)
        yield item


def _unless_empty(items: Iterator[Item]) -> Iterator[Item] | None:
    """Return the items, or None where there are none, for which no process need be started."""
    for first in items:
        return chain([first], items)
    return None


def _call(
    function: Callable[..., Out], item: Item, shared: Mapping[str, Any], arguments: Mapping[str, Any]
) -> tuple[Item, Out]:
    with memory.reported(), in_one_thread():
        return item, function(item, **shared, **arguments)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    plain = text.isascii() and text.isprintable() and " " not in text
    return (
        plain and parts.scheme in ("tcp", "tls") and bool(host and port) and text == f"{parts.scheme}://{parts.netloc}"
    )


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C: the run handles it and ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _ignoring_late_calls() -> Iterator[None]:
    """Print no traceback where loky's thread is handed a call while it ends the processes, and finds it dropped."""
    report = threading.excepthook

    def unless_late(failure: threading.ExceptHookArgs) -> None:
        thread = failure.thread.name if failure.thread else ""
        if (failure.exc_type, thread) != (KeyError, "ExecutorManagerThread"):
            report(failure)

    threading.excepthook = unless_late
    try:
        yield
    finally:
        threading.excepthook = report


def _begin(memory_limit: int, parent: int) -> None:
    """Limit this worker process, leave Ctrl-C to its parent, and end soon after the parent, even one that has ended."""
    memory.limit(memory_limit)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="watch the parent", daemon=True).start()


def _lost_workers(on_dask: bool) -> tuple[type[BaseException], ...]:
    if on_dask:
        return dask_cluster.lost_workers()
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    return (TerminatedWorkerError,)
