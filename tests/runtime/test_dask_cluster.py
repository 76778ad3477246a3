"""Workers of a Dask cluster die and freeze: their trainings go elsewhere, and nobody waits without end."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.errors import EngineUnreachable, WorkerLost
from core.runtime import dask_cluster
from core.runtime.engine import Engine
from tests.errands import square, tire
from tests.patience import PATIENCE
from tests.runtime.clusters import Cluster, ready

pytestmark = [pytest.mark.slow, pytest.mark.timeout(PATIENCE)]

LONG = 12.0
"""A patience, in seconds, that a worker which is only slow does not exceed on a busy machine."""
SHORT = 2.0
"""One for what never answers at all."""


class Deadly:
    """Kills the second worker that receives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        return received, (self.folder,)


def received(folder: Path) -> Deadly:
    if "dask_worker" in sys.argv[0]:
        (folder / str(os.getpid())).touch()
        if len(list(folder.iterdir())) == 2 and not (died := folder.with_suffix(".died")).exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return Deadly(folder)


def tire_beside(item: int, deadly: Deadly, seconds: float) -> tuple[int, int]:
    return tire(item, seconds)


def test_a_worker_may_die_while_it_receives_what_all_share(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "received"
    folder.mkdir()
    shared = {"deadly": Deadly(folder), "seconds": 0.2}
    outcomes = dict(Engine(cluster.address).map(tire_beside, range(20), shared))
    assert sorted(outcomes) == list(range(20))
    assert folder.with_suffix(".died").exists()


def test_a_worker_that_is_frozen_from_the_start_is_done_without(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", LONG)
    cluster.pause(cluster.workers[0])
    outcomes = dict(Engine(cluster.address).map(tire, range(12), {"seconds": 0.05}))
    assert sorted(outcomes) == list(range(12))
    assert {process for process, _ in outcomes.values()} == {cluster.workers[1].pid}


def test_a_worker_that_freezes_at_work_is_done_without(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", LONG)
    process_of = {}
    for item, (process, _) in Engine(cluster.address).map(tire, range(30), {"seconds": 0.1}):
        if not process_of:
            psutil.Process(process).suspend()
        process_of[item] = process
    assert sorted(process_of) == list(range(30))


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster of one worker, for what happens to all of them."""
    with ready(tmp_path, size=1) as cluster:
        yield cluster


@pytest.mark.parametrize("frozen", ["workers", "scheduler"])
def test_a_run_ends_with_a_typed_error_when_no_process_answers(
    lone: Cluster, frozen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", SHORT)
    everybody = lone.workers if frozen == "workers" else [lone.scheduler]
    outcomes = Engine(lone.address).map(tire, range(50), {"seconds": 0.1})
    next(outcomes)
    lone.pause(*everybody)
    with pytest.raises((EngineUnreachable, WorkerLost)):
        list(outcomes)


def test_a_timeout_inside_a_training_comes_out_as_it_is_and_the_death_of_the_last_worker_as_a_typed_error(
    lone: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TimeoutError, match="of its own"):
        list(Engine(lone.address).map(time_out, range(3), {}))
    assert sorted(Engine(lone.address).map(square, range(3), {})) == [(0, 0), (1, 1), (2, 4)]
    monkeypatch.setattr(dask_cluster, "PATIENCE", SHORT)
    outcomes = Engine(lone.address).map(tire, range(50), {"seconds": 0.1})
    next(outcomes)
    for worker in lone.workers:
        worker.kill()
    with pytest.raises((EngineUnreachable, WorkerLost)):
        list(outcomes)


def time_out(item: int) -> int:
    raise TimeoutError("of its own")
