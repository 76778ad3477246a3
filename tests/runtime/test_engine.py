"""Trainings in processes or Dask workers: no loss when a worker dies, and no work after the end."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from joblib.externals.loky.process_executor import _ExecutorManagerThread
from threadpoolctl import threadpool_limits

from core.errors import EngineUnreachable, InvalidSpec, WorkerLost
from core.experiment import Experiment, run
from core.runtime import dask_cluster, engine
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from tests.errands import (
    ROOT,
    contents,
    die,
    die_once,
    fail,
    gone,
    grow,
    last,
    look,
    python,
    square,
    threads,
    tiny,
    tire,
    workers_of,
)
from tests.patience import FOREVER, PATIENCE
from tests.runtime.clusters import Cluster, free_port

HERE = psutil.Process()


@pytest.mark.parametrize("workers", [1, 2])
def test_every_item_comes_back_once(workers: int) -> None:
    assert sorted(Engine(workers=workers).map(square, range(7), {})) == [(item, item * item) for item in range(7)]
    assert list(Engine(workers=workers).map(square, [], {})) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_call_computes_in_one_thread_so_that_its_bytes_are_the_same_everywhere(workers: int) -> None:
    with threadpool_limits(2):
        assert dict(Engine(workers=workers).map(threads, range(2), {})) == {0: {1}, 1: {1}}
        assert threads(0) != {1}, "outside of calls nothing changes"


def test_processes_share_one_copy_of_large_arrays() -> None:
    table = np.arange(300_000.0)
    views = dict(Engine(workers=2).map(look, range(6), {"table": table}))
    assert {kind for kind, _, _ in views.values()} == {"memmap"}
    assert {item: number for item, (_, _, number) in views.items()} == {item: float(item) for item in range(6)}
    assert all(process != os.getpid() for _, process, _ in views.values())


def _handed_a_call(thread: _ExecutorManagerThread) -> None:
    thread.work_ids_queue.put(-1)


def _failing(_: _ExecutorManagerThread) -> None:
    raise ValueError("another error")


@pytest.mark.parametrize(("meanwhile", "expected"), [(_handed_a_call, []), (_failing, [ValueError])])
def test_closing_early_ends_the_workers_and_only_a_call_that_comes_meanwhile_is_no_error(
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: Callable[[_ExecutorManagerThread], None],
    expected: list[type[BaseException]],
) -> None:
    """The thread that hands out calls looks for one that it has just dropped; that is seldom, and here always."""
    ended, reported = _ExecutorManagerThread.flag_executor_shutting_down, list[type[BaseException]]()

    def end(thread: _ExecutorManagerThread) -> None:
        ended(thread)
        meanwhile(thread)

    monkeypatch.setattr(_ExecutorManagerThread, "flag_executor_shutting_down", end)
    monkeypatch.setattr(threading, "excepthook", lambda failure: reported.append(failure.exc_type))
    with closing(Engine(workers=2).map(last, range(100), {})) as outcomes:
        assert next(outcomes) == (0, 0)
        workers = workers_of(HERE)
        assert workers
    assert gone(workers)
    assert reported == expected
    assert sorted(Engine(workers=2).map(square, range(3), {})) == [(0, 0), (1, 1), (2, 4)]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_of_the_consumer_ends_the_workers(store: Store, error: type[BaseException]) -> None:
    context, workers = RunContext(store=store, engine=Engine(workers=2)), []
    with pytest.raises(error):
        for _ in context.train("Growing", "key", grow, range(100), {"width": 10}):
            workers = workers_of(HERE)
            raise error
    assert gone(workers)


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ValueError, match="three"):
        list(Engine(workers=2).map(fail, range(6), {}))


def test_what_a_dead_worker_held_is_computed_again(tmp_path: Path) -> None:
    outcomes = sorted(Engine(workers=2).map(die_once, range(8), {"folder": str(tmp_path)}))
    assert outcomes == [(item, item) for item in range(8)]
    assert (tmp_path / "died").exists()


@pytest.mark.exhaustive  # what a dead worker held is computed again, as the test before this one shows
def test_a_killed_worker_is_replaced() -> None:
    items = []
    for item, (process, _) in Engine(workers=2).map(tire, range(10), {"seconds": 0.05}):
        items.append(item)
        if len(items) == 2:
            os.kill(process, signal.SIGKILL)
    assert sorted(items) == list(range(10))


def test_workers_that_die_again_and_again_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_ATTEMPTS", 2)
    outcomes = []
    with pytest.raises(WorkerLost, match=r"died or fell silent 2 times in a row with \d trainings left"):
        outcomes.extend(Engine(workers=2).map(die, range(4), {}))
    assert 3 not in [item for item, _ in outcomes]


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "http://host:1",
        "tcp://",
        "tcp://host",
        "tcp://:8786",
        "tcp://host:99999",
        "tcp://ho st:1",
        "tcp://h:x",
        "tcp://host:1/path",
        "tcp://host:1\n",
        "tcp://[::1",
        "\udc80",
    ],
)
def test_a_malformed_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidSpec, match="--engine must be") as caught:
        Engine(address)
    assert caught.value.field == "engine"


@pytest.mark.parametrize("workers", [-1, 257, 10**9])
def test_an_absurd_number_of_workers_is_refused(workers: int) -> None:
    with pytest.raises(InvalidSpec, match="--workers must be between"):
        Engine(workers=workers)


def test_an_unreachable_scheduler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", 1.0)
    with pytest.raises(EngineUnreachable, match="--engine: no Dask scheduler answers"):
        list(Engine(f"tcp://127.0.0.1:{free_port()}").map(square, range(3), {}))


class Killing(Progress):
    """Kills a worker when some trainings are done."""

    def __init__(self, process: psutil.Process) -> None:
        self.process, self.done = process, 0

    def advance(self, items: int = 1) -> None:
        self.done += items
        if self.done == 7:
            self.process.kill()


@pytest.mark.slow
def test_an_experiment_on_dask_has_the_same_bytes_even_when_a_worker_is_killed(
    store: Store, tmp_path: Path, cluster: Cluster, planted: Any
) -> None:
    experiment = Experiment.parse(tiny(planted.source))
    other = Store(root=tmp_path / "other", shipped=store.shipped)
    context = RunContext(store=store, engine=Engine(cluster.address), progress=Killing(cluster.workers[0]))
    run(experiment, context)
    run(experiment, RunContext(store=other, engine=Engine(workers=1)))
    assert context.trainings == 16
    cluster.workers[0].wait(PATIENCE)
    assert contents(store, experiment.key) == contents(other, experiment.key)


@pytest.mark.slow
def test_dask_workers_give_the_same_until_the_last_is_killed(
    store: Store, tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = np.arange(300_000.0)
    views = dict(Engine(cluster.address).map(look, range(6), {"table": table}))
    assert {item: number for item, (_, _, number) in views.items()} == {item: float(item) for item in range(6)}

    here = dict(
        RunContext(store=store, engine=Engine(workers=1)).train("Growing", "key", grow, range(12), {"width": 5})
    )
    other = Store(root=tmp_path / "other", shipped=store.shipped)
    context = RunContext(store=other, engine=Engine(cluster.address))
    there = {}
    for item, arrays in context.train("Growing", "key", grow, range(12), {"width": 5}):
        there[item] = arrays
        if len(there) == 1:
            cluster.workers[0].kill()
    assert context.trainings == 12
    assert {item: arrays["row"].tobytes() for item, arrays in here.items()} == {
        item: arrays["row"].tobytes() for item, arrays in there.items()
    }

    outcomes = Engine(cluster.address).map(tire, range(50), {"seconds": 0.1})
    killed = next(outcomes)[1][0]
    assert killed == cluster.workers[1].pid
    outcomes.close()
    assert sorted(Engine(cluster.address).map(square, range(3), {})) == [(0, 0), (1, 1), (2, 4)]

    cluster.workers[1].kill()
    cluster.workers[1].wait()
    monkeypatch.setattr(dask_cluster, "PATIENCE", 2.0)
    with pytest.raises(EngineUnreachable, match="has no workers"):
        list(Engine(cluster.address).map(square, range(3), {}))


def test_a_worker_whose_parent_ended_before_it_began_ends_too() -> None:
    script = f"import time; from core.runtime.engine import _begin; _begin(0, 0); time.sleep({FOREVER})"
    assert subprocess.run(python("-c", script), cwd=ROOT, timeout=PATIENCE, check=False).returncode == 1
