"""Kills a run, a worker of it, or the server that started it, at any moment, over six attacks; python -m."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from core.experiment import Experiment, run
from core.jobs import Jobs
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.campaigns.campaign import command
from tests.errands import QUICK, ROOT, contents, workers_of
from tests.patience import FOREVER, PATIENCE

FEW = {"target_sizes": [10], "targets": 2, "plays": 4, "documents": 400}
SMALL = {"part": "word2vec", "dimension": 8, "epochs": 3, "minimum_count": 5}
ATTACKS: dict[str, dict[str, object]] = {
    "word_pairs": {"attack": {"shadow_pairs": 10, "baselines": False}, "game": FEW, "model": SMALL},
    "keyword_inference": {},
    "canary_extraction": {},
    "sparse_inversion": {},
    "multilabel_inversion": {},
    "encoder_fingerprint": {},
}
"""The demos, the first with less of everything."""
KINDS = ("run", "run", "run", "worker", "run", "run", "server")
ASK = f"""
import json, sys, time
from core.experiment import Experiment
from core.jobs import Jobs
from core.runtime.store import Store
experiment = Experiment.parse(json.loads(sys.argv[1]))
Jobs(Store()).ask(experiment.as_dict(), experiment.key)
print("asked", flush=True)
time.sleep({FOREVER})
"""


def experiment_of(attack: str) -> Experiment:
    """Return the experiment whose run is killed; its seed has no stored result."""
    return Experiment.preset(attack, "demo", seed=4711, **ATTACKS[attack])


@cache
def folder(name: str) -> Path:
    """Return a folder of this campaign."""
    return Path(tempfile.mkdtemp(prefix=f"telltale-kills-{name}-"))


def store(home: Path) -> Store:
    """Return a store without the results that come with the code."""
    return Store(root=home, shipped=home / "shipped")


def forked(experiment: Experiment, home: Path, workers: int) -> psutil.Process:
    """Run an experiment in a copy of this process, which need not import the libraries again."""
    pid = os.fork()
    if pid == 0:
        status = 1
        with suppress(BaseException):
            os.environ["TELLTALE_HOME"] = str(home)
            run(experiment, RunContext(store=store(home), engine=Engine(workers=workers)))
            status = 0
        os._exit(status)
    return psutil.Process(pid)


@cache
def undisturbed(attack: str) -> tuple[dict[str, bytes], float]:
    """Return the bytes of a run that nobody disturbs, and the seconds it takes."""
    experiment, home, began = experiment_of(attack), folder(f"whole-{attack}"), time.monotonic()
    assert forked(experiment, home, 1).wait() == 0, "the undisturbed run failed"
    return contents(store(home), experiment.key), time.monotonic() - began


def trained(home: Path) -> set[Path]:
    """Return the trainings that are stored."""
    return set(home.glob("parts/*/*.npz"))


def check_kept(before: set[Path], home: Path) -> None:
    """Fail where a stored training was lost; only a later epoch replaces all those of an earlier one."""
    lost = [path for path in before if not path.exists() and path.parent.exists()]
    assert not lost, f"{len(lost)} trainings were lost"
    kept = store(home)
    for path in before:
        if path.exists():
            assert kept.get_arrays(path.parent.name, path.stem) is not None, f"{path.name} is damaged"


def attempt(number: int, rng: random.Random) -> str:
    """Kill once, and look what is left; once a result is there, compare it and begin anew."""
    attack, kind = list(ATTACKS)[number % len(ATTACKS)], KINDS[number // len(ATTACKS) % len(KINDS)]
    whole, seconds = undisturbed(attack)
    experiment, home = experiment_of(attack), folder(attack)
    delay = rng.uniform(0.1, 0.9) * seconds
    before = {"run": _kill_run, "worker": _kill_worker, "server": _kill_server}[kind](experiment, home, delay)
    check_kept(before, home)
    if store(home).get_files(experiment.key) is None:
        return f"{kind} killed, {'resumed' if before else 'nothing stored yet'}"
    made = contents(store(home), experiment.key)
    shutil.rmtree(home)
    home.mkdir()
    assert made == whole, f"{attack}: other bytes after kills"
    return f"{kind} killed, done with the same bytes"


def _kill_run(experiment: Experiment, home: Path, delay: float) -> set[Path]:
    """Kill a run."""
    process = forked(experiment, home, 1)
    _wait(process, delay)
    before = trained(home)
    with suppress(psutil.NoSuchProcess):  # it was faster
        process.kill()
    process.wait()
    return before


def _kill_worker(experiment: Experiment, home: Path, delay: float) -> set[Path]:
    """Kill one of two workers; the run goes on."""
    process = forked(experiment, home, 2)
    _wait(process, delay)
    before = trained(home)
    if workers := workers_of(process):
        with suppress(psutil.Error):
            workers[0].kill()
    assert process.wait(PATIENCE) == 0, "the run did not outlive its worker"
    return before


def _kill_server(experiment: Experiment, home: Path, delay: float) -> set[Path]:
    """Kill the server that asked for a run; the run goes on by itself."""
    server = subprocess.Popen(
        [sys.executable, "-c", ASK, json.dumps(experiment.as_dict())],
        cwd=ROOT,
        env={**os.environ, "TELLTALE_HOME": str(home), "PYTHONPATH": str(QUICK)},
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    server.stdout.readline()
    time.sleep(min(delay, 2.0))
    before = trained(home)
    server.kill()
    server.communicate()
    jobs, end = Jobs(store(home)), time.monotonic() + PATIENCE
    while (job := jobs.find(experiment.key)) is not None and job.active and time.monotonic() < end:
        jobs.tend()
        time.sleep(0.2)
    assert job is not None and (job.state, job.message) == ("done", ""), f"the run ended as {job}"
    return before


def _wait(process: psutil.Process, delay: float) -> None:
    with suppress(psutil.TimeoutExpired):
        process.wait(delay)


if __name__ == "__main__":
    sys.exit(command("kills", attempt, 100))
