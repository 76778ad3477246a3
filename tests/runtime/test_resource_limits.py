"""The memory limit: a run that needs more than its processes may take says so, and nothing else is harmed."""

import errno
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import __main__ as command_line
from core.commands import experiments
from core.datasets.documents import Documents
from core.errors import InvalidSpec, OutOfMemory
from core.experiment import Experiment, run
from core.jobs import Jobs
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.errands import hoard, python, tiny
from tests.patience import PATIENCE
from tests.runtime.space_consuming import MORE, SpaceConsuming, peek

HUNGRY = """
import runpy, sys
import numpy as np
from core import experiment
experiment.run = lambda *_: np.ones(3 * 10**9, np.uint8)
sys.argv = ["worker", *sys.argv[1:]]
runpy.run_module("core.jobs.worker", run_name="__main__")
"""


class Hungry(Jobs):
    """A queue whose runs take three gigabytes."""

    def _start(self, key: str, token: str) -> None:
        self._launch(python("-c", HUNGRY, key, token), key, token)


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, "1.5")


@pytest.mark.usefixtures("little")
def test_a_worker_that_needs_too_much_says_so_and_the_next_run_goes_on_as_mapped_files_do_not_count(
    tmp_path: Path,
) -> None:
    """A file of three gigabytes, nearly all of it a hole, is mapped by both workers and takes no memory."""
    with pytest.raises(OutOfMemory, match=r"which is 1\.5 GB.*TELLTALE_MEMORY_GB"):
        list(Engine(workers=2).map(hoard, range(2), {"size": MORE}))
    assert not memory.limited(), "the process that asks has no limit of its own"
    table = np.memmap(tmp_path / "table", np.uint8, "w+", shape=(MORE,))
    assert sorted(Engine(workers=2).map(peek, range(2), {"table": table})) == [(0, 0), (1, 0)]


@pytest.mark.usefixtures("little")
def test_a_job_that_needs_too_much_fails_once_and_says_why(store: Store, planted: Documents) -> None:
    values = tiny(planted.source)
    key = Experiment.parse(values).key
    store.root.mkdir(parents=True)
    jobs = Hungry(store)
    jobs.ask(values, key)
    deadline = time.monotonic() + PATIENCE
    while (job := jobs.find(key)) and job.active and time.monotonic() < deadline:
        time.sleep(0.1)
    assert job is not None
    assert job.state == "failed"
    assert "1.5 GB" in job.message
    assert memory.VARIABLE in job.message


@pytest.mark.usefixtures("little", "home")
def test_a_command_without_workers_that_needs_too_much_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(experiments, "run", lambda *_: np.empty(MORE, np.uint8))
    assert command_line.main(["run", "word_pairs", "--preset", "demo"]) != 0
    assert "1.5 GB" in capsys.readouterr().err
    assert not memory.limited(), "the limit ends with the run"


def test_a_game_that_needs_more_than_the_limit_says_so_and_without_a_limit_it_is_played(
    store: Store, planted: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment.parse({**tiny(planted.source), "model": SpaceConsuming(dimension=8, minimum_count=2)})
    context = RunContext(store=store, engine=Engine(workers=2))
    monkeypatch.setenv(memory.VARIABLE, "1.5")
    with pytest.raises(OutOfMemory, match=r"which is 1\.5 GB.*TELLTALE_MEMORY_GB"):
        run(experiment, context)
    assert context.trainings == 0
    monkeypatch.setenv(memory.VARIABLE, "0")
    context = RunContext(store=store, engine=Engine(workers=1))
    run(experiment, context)
    assert context.trainings == 16


def test_the_default_limit_is_a_share_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "_machine", lambda: 32 * 10**9)
    assert memory.allowed() == 24 * 10**9
    assert memory.allowed(4) == 6 * 10**9
    assert memory.allowed(64) == 2 * 10**9


@pytest.mark.parametrize("setting", ["nan", "-1", "much", "8 GB", "inf", "1e99", "0.5"])
def test_a_limit_that_is_no_number_of_gigabytes_is_refused(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, setting)
    with pytest.raises(InvalidSpec, match=r"must be a number of gigabytes.*Got"):
        memory.allowed()


@given(gigabytes=st.just(0.0) | st.floats(1, 1e6))
def test_every_number_of_gigabytes_is_taken_as_it_is(gigabytes: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(memory.VARIABLE, str(gigabytes))
        assert memory.allowed(3) == int(gigabytes * 10**9)


@pytest.mark.parametrize(
    ("error", "shortage"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), True),
        (OSError(errno.ENOENT, "No such file"), False),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 bytes"), True),
        (RuntimeError("std::bad_alloc"), True),
        (RuntimeError("shapes do not match"), False),
        (ImportError("libtorch.so: failed to map segment: Cannot allocate memory"), True),
    ],
)
def test_only_a_shortage_is_called_one(error: Exception, shortage: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "limited", lambda: True)
    with pytest.raises(OutOfMemory if shortage else type(error)), memory.reported():
        raise error


@pytest.mark.parametrize(
    "message",
    [
        "CUDA out of memory. Tried to allocate 382.00 MiB.",
        "CUDA error: out of memory",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
    ],
)
def test_a_full_gpu_is_a_shortage_whether_or_not_the_process_is_limited(message: str) -> None:
    with pytest.raises(OutOfMemory, match=r"than the GPU has left.*--workers 1.*VISIBLE_DEVICES"), memory.reported():
        raise RuntimeError(message)
