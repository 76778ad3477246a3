"""Kills a run, a worker of it, or the server that started it, at any moment, over six attacks; python -m."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import psutil

from core.experiment import Experiment
from core.jobs import Jobs
from tests.campaigns.campaign import command
from tests.campaigns.undisturbed import Undisturbed, check_kept, forked, store, trained
from tests.errands import QUICK, ROOT, contents, gone, workers_of
from tests.patience import FOREVER, PATIENCE

FEW = {"target_sizes": [10], "targets": 2, "plays": 4, "documents": 400}
WORDS = {"part": "word2vec", "dimension": 8, "epochs": 3, "minimum_count": 5}
SENTENCES = {"part": "dual_encoder", "body": "lstm", "epochs": 2, "dimension": 8, "word_dimension": 8}
TAGGER = {"part": "bilstm_crf", "dimension": 8, "hidden": 8, "layers": 1, "epochs": 3}
NEXT = {"part": "lstm_lm", "dictionary": {"part": "news_words", "size": 500}, "dimension": 8, "epochs": 2, "layers": 1}
ATTACKS: dict[str, dict[str, object]] = {
    "word_pairs": {"attack": {"shadow_pairs": 10, "baselines": False}, "game": FEW, "model": WORDS},
    "window_similarity": {"model": WORDS, "game": {"couples": 4, "examples": 100}},
    "loss_membership": {"model": NEXT, "game": {"targets": 6, "plays": 2, "documents": 30, "target_sizes": [2]}},
    "canary_extraction": {
        "attack": {"restarts": 2, "steps": 20, "scored": 1000},
        "dataset": {"part": "assistant_requests", "utterances": 300},
        "model": TAGGER,
        "game": {"patterns": ["pin"]},
    },
    "sparse_inversion": {
        "attack": {"texts": 300, "vocabulary": 200, "iterations": 50},
        "game": {"victims": 40, "examples": 20},
    },
    "sentence_similarity": {
        "attack": {"people": 60, "sizes": [2, 5]},
        "model": SENTENCES,
        "game": {"couples": 4, "examples": 60},
    },
}
"""Demos that train in worker processes, with less of everything."""
KINDS = ("run", "run", "run", "worker", "run", "run", "run", "server")
SHARES = 1.0, 0.5, 0.0
"""Of the trainings left, how many are waited for at most: less where a run was too fast."""
GLANCE = 0.005
"""Seconds between two looks at what is stored."""
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


@cache
def undisturbed(attack: str) -> Undisturbed:
    """Return the run of an attack that nobody disturbs."""
    return Undisturbed.of(experiment_of(attack), folder(f"whole-{attack}"))


class Watched:
    """What is known of a run that is to be hit, over all kills of it.

    Attributes:
        home: Its folder.
        whole: What it does undisturbed.
        ever: Trainings that were ever stored.
    """

    def __init__(self, attack: str) -> None:
        self.experiment, self.home, self.whole = experiment_of(attack), folder(attack), undisturbed(attack)
        self.ever: set[Path] = set()

    @property
    def is_done(self) -> bool:
        """Whether there is a result."""
        return store(self.home).get_files(self.experiment.key) is not None

    @property
    def is_trained(self) -> bool:
        """Whether no training is left."""
        last, names = list(self.whole.trainings.items())[-1]
        return self.is_done or store(self.home).array_names(last) >= names

    def await_moment(self, process: psutil.Process, rng: random.Random, share: float) -> list[psutil.Process]:
        """Wait until a run trains and has stored a random number of its trainings; return its workers.

        Args:
            process: Has the workers below it.
            rng: Draws the moment: a number of trainings, and a part of the time that one takes.
            share: The most of the trainings left that are waited for.

        Returns:
            The workers; none if all was trained before.
        """
        self.ever |= trained(self.home)
        number = len(self.ever) + int(rng.random() * share * (self.whole.count - len(self.ever)))
        while _runs(process) and not self.is_trained:
            self.ever |= trained(self.home)
            if len(self.ever) >= number and workers_of(process):
                time.sleep(rng.random() * self.whole.seconds)
                return [] if self.is_trained else workers_of(process)
            time.sleep(GLANCE)
        return []

    def check(self, before: set[Path]) -> None:
        """Fail where a training was lost, or the result has other bytes; begin anew once there is a result."""
        check_kept(before, self.home, self.whole)
        if self.is_done:
            made = contents(store(self.home), self.experiment.key)
            shutil.rmtree(self.home)
            self.home.mkdir()
            self.ever.clear()
            assert made == self.whole.result, f"{self.experiment.attack.part_name()}: other bytes after kills"


watched = cache(Watched)


def attempt(number: int, rng: random.Random) -> str:
    """Kill once, and look what is left; where all was trained before that, compare the result and begin anew."""
    attack, kind = list(ATTACKS)[number % len(ATTACKS)], KINDS[number // len(ATTACKS) % len(KINDS)]
    run_of = watched(attack)
    for share in SHARES:
        before = {"run": _kill_run, "worker": _kill_worker, "server": _kill_server}[kind](run_of, rng, share)
        if before is not None:
            over = "the result has the same bytes" if run_of.is_done else "to be resumed"
            run_of.check(before)
            return f"{kind} killed while it trained with {'some' if before else 'nothing'} stored, {over}"
        assert run_of.is_done, f"{attack}: the run ended without a result"
        run_of.check(set())
    raise AssertionError(f"{attack}: {len(SHARES)} runs had trained all before a {kind} could be killed")


def _kill_run(run_of: Watched, rng: random.Random, share: float) -> set[Path] | None:
    """Kill a run while it trains, so that trainings are left to resume; return what was stored, or None: too late."""
    process = forked(run_of.experiment, store(run_of.home), 2)
    workers = run_of.await_moment(process, rng, share / 2)
    before = trained(run_of.home)
    if workers:
        process.kill()
    return before if process.wait(PATIENCE) == -signal.SIGKILL and not run_of.is_done else None


def _kill_worker(run_of: Watched, rng: random.Random, share: float) -> set[Path] | None:
    """Kill one of the workers of a run, which goes on; return what was stored, or None where none was hit."""
    process = forked(run_of.experiment, store(run_of.home), 2)
    workers = run_of.await_moment(process, rng, share)
    before = trained(run_of.home)
    hit = any(_killed(worker) for worker in workers[:1])
    assert process.wait(PATIENCE) == 0, "the run did not outlive its worker"
    return before if hit else None


def _kill_server(run_of: Watched, rng: random.Random, share: float) -> set[Path] | None:
    """Kill the server that asked for a run while that trains; it goes on by itself."""
    experiment, home = run_of.experiment, run_of.home
    server = psutil.Popen(
        [sys.executable, "-c", ASK, json.dumps(experiment.as_dict())],
        cwd=ROOT,
        env={**os.environ, "TELLTALE_HOME": str(home), "PYTHONPATH": str(QUICK)},
        stdout=subprocess.PIPE,
    )
    server.stdout.readline()
    workers, family = run_of.await_moment(server, rng, share), server.children(recursive=True)
    before, jobs, end = trained(home), Jobs(store(home)), time.monotonic() + PATIENCE
    hit = bool(workers) and _killed(server) and not run_of.is_done
    server.kill()
    server.communicate()
    while (job := jobs.find(experiment.key)) is not None and job.active and time.monotonic() < end:
        jobs.tend()
        time.sleep(0.2)
    assert job is not None and (job.state, job.message) == ("done", ""), f"the run ended as {job}"
    assert gone(family), "processes of the run are left"
    return before if hit else None


def _killed(process: psutil.Process) -> bool:
    """Kill a process; return whether it was there."""
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return False
    return True


def _runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


if __name__ == "__main__":
    sys.exit(command("kills", attempt, 100))
