"""Trainings on the workers of a Dask cluster; a worker that falls silent is given up, never waited for without end."""

import logging
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from core.errors import EngineUnreachable

PATIENCE = 20.0
"""Seconds of silence after which a scheduler or a worker is given up."""

_POLL = 0.1
_CHECKS = 10
"""How often workers are checked in that time."""

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class SilentWorkers(Exception):
    """Workers that did not answer were given up."""


def outcomes(
    address: str,
    call: Callable[..., Outcome],
    items: Iterator[Item],
    shared: Mapping[str, Any],
    per_item: Mapping[Item, Mapping[str, Any]],
) -> Generator[Outcome, None, None]:
    """Yield ``call(item, shared, per_item[item])`` as the calls finish, in any order.

    Args:
        address: ``tcp://host:port`` of the scheduler.
        call: A function that any process can import.
        items: First argument of each call.
        shared: Second argument of all calls; each worker keeps one copy.
        per_item: Third argument of each call, by item.

    Raises:
        EngineUnreachable: No scheduler answers, or it has no workers.
        SilentWorkers: Workers did not answer and were given up; another attempt goes without them.
    """
    from distributed import as_completed

    with _connected(address) as client:
        watch = _Watch(client)
        # A task, not `scatter`: the scheduler repeats a lost task elsewhere, whereas scattered data are lost with their
        # worker, and a worker that dies during a broadcast is waited for without end.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            arguments = client.submit(partial(dict, shared), pure=False)
        futures = {client.submit(call, item, arguments, per_item.get(item, {}), pure=False) for item in items}
        finished = as_completed(list(futures), loop=client.loop)  # type: ignore[no-untyped-call]
        late: set[Any] = set()
        while futures:
            arrived = _arrived(finished)
            for number, future in enumerate(arrived):
                try:
                    outcome = future.result(timeout=PATIENCE)
                except TimeoutError:
                    if future.status == "error":
                        raise
                    if future in late:
                        raise SilentWorkers(f"no worker returned {future.key}") from None
                    late.add(future)
                    # Its worker is silent or gone; if it is gone, another one computes the task.
                    finished.update(arrived[number:])  # type: ignore[no-untyped-call]
                    break
                futures.remove(future)
                yield outcome
            watch.check()


def lost_workers() -> tuple[type[BaseException], ...]:
    """Return the errors that mean a loss of workers, or of the connection to them."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm.core import CommClosedError

    return KilledWorker, CancelledError, FutureCancelledError, CommClosedError, SilentWorkers


class _Watch:
    """Gives up workers whose heartbeats have stopped."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._heartbeats: dict[str, tuple[float, float]] = {}
        self._checked = self._workers_seen_at = time.monotonic()

    def check(self) -> None:
        """Give up the workers that have been silent for too long.

        Raises:
            SilentWorkers: Some were given up, or there has been no worker for that long.
            EngineUnreachable: The scheduler does not answer.
        """
        now = time.monotonic()
        if now - self._checked < PATIENCE / _CHECKS:
            return
        workers = _workers(self._client)
        self._checked = now = time.monotonic()
        silent = []
        for address, worker in workers.items():
            # The scheduler's clock may differ from ours: only a change of the last heartbeat counts.
            heartbeat, since = self._heartbeats.get(address, (None, now))
            self._heartbeats[address] = worker["last_seen"], since if worker["last_seen"] == heartbeat else now
            if now - self._heartbeats[address][1] > PATIENCE:
                silent.append(address)
        if workers:
            self._workers_seen_at = now
        if silent:
            # A worker with a nanny is restarted; one without is dropped.
            _request(
                self._client,
                "restart_workers",
                workers=silent,
                timeout=PATIENCE / 2,
                wait_for_workers=False,
                on_error="return",
                stimulus_id=f"silent-workers-{now}",
            )
        if silent or now - self._workers_seen_at > PATIENCE:
            raise SilentWorkers(", ".join(silent))


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    from distributed import Client

    # A lost scheduler is reported below, in one sentence.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=f"{PATIENCE}s", set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise EngineUnreachable(
            f"--engine: no Dask scheduler answers at {address!r} ({type(error).__name__}). "
            "Start one with 'dask scheduler', and workers with 'dask worker'."
        ) from error
    try:
        if not _has_workers(client):
            raise EngineUnreachable(
                f"--engine: the Dask scheduler at {address!r} has no workers. Start some with 'dask worker {address}'."
            )
        yield client
    finally:
        # A silent scheduler does not confirm the closing either.
        with suppress(TimeoutError):
            client.close(timeout=PATIENCE)  # type: ignore[no-untyped-call]


def _has_workers(client: Any) -> bool:
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        if _workers(client):
            return True
        time.sleep(_POLL)
    return False


def _workers(client: Any) -> dict[str, dict[str, Any]]:
    workers: dict[str, dict[str, Any]] = _request(client, "identity", n_workers=-1)["workers"]
    return workers


def _request(client: Any, handler: str, **arguments: Any) -> Any:
    """Call a handler of the scheduler; the client's own methods for it wait without end."""
    try:
        return client.sync(getattr(client.scheduler, handler), callback_timeout=PATIENCE, **arguments)
    except OSError as error:
        raise EngineUnreachable(
            f"--engine: the Dask scheduler at {client.scheduler.address!r} has stopped answering "
            f"({type(error).__name__}). What is finished is kept: the same command resumes."
        ) from error


def _arrived(finished: Any) -> list[Any]:
    if not finished.has_ready():
        with finished.thread_condition:
            finished.thread_condition.wait(_POLL)
    arrived: list[Any] = finished.next_batch(block=False)
    return arrived
