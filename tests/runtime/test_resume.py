"""A run that is killed at any moment, or whose files are damaged, resumes and ends with the same bytes."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.experiment import Experiment, run
from core.jobs import Job, Jobs, sessions, worker
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.campaigns.undisturbed import forked
from tests.errands import QUICK, ROOT, contents, gone, python, tiny, workers_of
from tests.jobs.test_queue_damage import Mine, held, let_all_go
from tests.patience import FOREVER, PATIENCE


@pytest.fixture
def values(planted: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A tiny experiment that this and other processes can run fast."""
    monkeypatch.setenv("PYTHONPATH", str(QUICK))
    return tiny(planted.source)


@pytest.fixture(scope="module")
def undisturbed(planted: Any, shared_store: Store) -> dict[str, bytes]:
    """Bytes of the result of a run that nobody disturbs, in this process."""
    experiment = Experiment.parse(tiny(planted.source))
    run(experiment, RunContext(store=shared_store, engine=Engine(workers=1)))
    return contents(shared_store, experiment.key)


def command(values: dict[str, Any], workers: int) -> list[str]:
    source = values["dataset"]["source"]
    settings = {
        "dataset.source": source,
        "shadow_pairs": 6,
        "baselines": "false",
        "trainer": "gensim",
        "dimension": 8,
        "minimum_count": 2,
        "epochs": 5,
        "window": 2,
        "target_sizes": 10,
        "targets": 2,
        "plays": 4,
        "game.documents": 100,
    }
    assignments = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    return python(
        "-m",
        "core",
        "run",
        "word_pairs",
        "--dataset",
        "documents",
        "--seed",
        "1",
        "--workers",
        str(workers),
        "--json",
        *assignments,
    )


def trained(store: Store) -> int:
    return len(list(store.root.glob("parts/*/*.npz")))


def await_trained(store: Store, number: int, process: psutil.Process | None) -> None:
    while trained(store) < number and process is not None and process.is_running():
        if process.status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.05)


@pytest.mark.slow
def test_a_queued_run_outlives_its_server_and_a_kill_and_ends_with_the_same_bytes(
    values: dict[str, Any], undisturbed: dict[str, bytes], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that goes on is this one, which has the libraries and keeps its niceness and its memory."""
    monkeypatch.setattr(sessions, "step_back", lambda: None)
    monkeypatch.setattr(memory, "limit", lambda _: None)
    rng = random.Random(6)
    jobs, key = Jobs(store), Experiment.parse(values).key
    request = f"Jobs(Store()).ask({values!r}, {key!r})"
    imports = "import time; from core.jobs import *; from core.runtime.store import *"
    asking = f"{imports}; {request}; print(1, flush=True); time.sleep({FOREVER})"
    server = subprocess.Popen(python("-c", asking), cwd=ROOT, stdout=subprocess.PIPE)
    assert server.stdout is not None
    server.stdout.readline()
    server.kill()
    server.communicate()
    assert job_of(jobs, key).state in ("running", "done"), "the run outlives the server that started it"
    ended: list[psutil.Process] = []
    pid = running_process(jobs)
    await_trained(store, 1 + rng.choice([0, 1, 2]), pid)
    if pid is not None and pid.is_running():
        ended += [pid, *workers_of(pid)]
        pid.kill()
    assert gone(ended)
    mine = Mine(store)
    monkeypatch.setattr(worker, "Jobs", lambda _: mine)
    mine.ask(values, key)  # of a run that is queued, or done before the kill came, it changes nothing
    while (job := mine.find(key)) is not None and job.active:
        mine.tend()
        if held:
            worker.main(key, job_of(mine, key).token)
            let_all_go()
        time.sleep(0.05)
    assert job is not None and (job.state, job.message) == ("done", "")
    assert contents(store, key) == undisturbed


def job_of(jobs: Jobs, key: str) -> Job:
    job = jobs.find(key)
    assert job is not None
    return job


def running_process(jobs: Jobs) -> psutil.Process | None:
    token = next((job.token for job in jobs.all() if job.state == "running"), None)
    for process in psutil.process_iter(["cmdline"]):
        if token is not None and process.info["cmdline"] and process.info["cmdline"][-1] == token:
            return process
    return None


def test_damaged_files_are_computed_again(values: dict[str, Any], undisturbed: dict[str, bytes], store: Store) -> None:
    experiment = Experiment.parse(values)
    rng = random.Random(7)
    first = RunContext(store=store, engine=Engine(workers=1))
    run(experiment, first)
    assert first.trainings == 16
    parts = sorted(path for path in store.root.glob("parts/*/*.npz") if path.parent.name != experiment.key)
    results = sorted(path for path in (store.root / "results" / experiment.key).iterdir())
    for damaged in (rng.sample(parts, 3), [rng.choice(results)]):
        store.delete(experiment.key) if damaged[0] in parts else None
        for path in damaged:
            flip(path, rng)
        again = RunContext(store=store, engine=Engine(workers=1))
        _, cached = run(experiment, again)
        assert not cached
        assert again.trainings == (len(damaged) if damaged[0] in parts else 0)
        assert contents(store, experiment.key) == undisturbed
    assert len(list((store.root / "damaged").glob("*/*"))) == 4


def flip(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


@pytest.mark.slow
def test_a_command_that_is_interrupted_and_then_killed_says_so_and_resumes_with_the_same_bytes(
    values: dict[str, Any], undisturbed: dict[str, bytes], store: Store
) -> None:
    """Killed is a copy of this process, which has the libraries; that workers end with their run is shown above."""
    for _ in range(5):
        process = subprocess.Popen(
            command(values, workers=2),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # A shell that runs the tests in the background makes them, and all below them, deaf to interrupts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        await_trained(store, 2, psutil.Process(process.pid))
        below = workers_of(psutil.Process(process.pid))
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        if process.returncode != 0:
            break
        shutil.rmtree(store.root)  # it was faster than the signal: once more
    assert process.returncode == 130
    assert out == b""
    assert b"the same command resumes" in err
    assert b"Traceback" not in err, err.decode()
    assert gone(below)
    kept = trained(store)
    assert kept >= 2

    rng = random.Random(5)
    killed = forked(Experiment.parse(values), store, workers=1)
    await_trained(store, kept + 1 + rng.choice([0, 1, 2]), killed)
    killed.kill()
    killed.wait(PATIENCE)
    stored = trained(store)
    assert stored >= kept, "what was trained before stays"
    context = RunContext(store=store, engine=Engine(workers=1))
    run(Experiment.parse(values), context)
    assert context.trainings == 16 - stored
    assert contents(store, Experiment.parse(values).key) == undisturbed
