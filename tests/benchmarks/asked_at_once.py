"""Trainings computed when several processes ask for the same experiment at once, one of them killed; python -m."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from core.experiment import Experiment
from tests.benchmarks import limits
from tests.serving import ROOT

PROCESSES = 4
LIMIT = 1.05
BEFORE = 4.03
"""The same, before processes shared trainings: 60, 63, 59 and 64 were computed where 61 were needed."""

RUN = """
import json, os, sys
from core import Experiment, run
from core.runtime.context import RunContext
from core.runtime.store import Store

class Noting(Store):
    def put_arrays(self, key, name, arrays):
        super().put_arrays(key, name, arrays)
        with open(os.environ["COMPUTED"], "ab") as log:  # by its name: processes that train store what they trained
            log.write(b".")

result, _ = run(Experiment.parse(json.loads(sys.argv[1])), RunContext(Noting()))
print(json.dumps(sorted((name, figure.value) for name, figure in result.estimates.items())))
"""


def main() -> None:
    """Run one process alone, several at once, and several of which the first is killed half way."""
    experiment = Experiment.preset("word_pairs", "demo", seed=4711)
    alone, answers = _asked(experiment, 1)
    together, of_all = _asked(experiment, PROCESSES)
    killed, of_the_others = _asked(experiment, PROCESSES, kill_after=alone // 3)
    distinct = len(answers | of_all | of_the_others)
    line = {
        "name": "asked_at_once",
        "ratio": round(together / alone, 3),
        "compared": (
            f"trainings that {PROCESSES} processes compute together for one experiment that all ask for at once, over "
            f"those that one computes alone; the limit is {LIMIT}, and it was {BEFORE} before they shared them"
        ),
        "figures": {
            "alone": alone,
            "together": together,
            "one_killed": killed,
            "distinct_estimates": distinct,
        },
    }
    held = {
        "trainings together over those of one": (together / alone, LIMIT),
        "the same with one process killed": (killed / alone, LIMIT),
        "distinct estimates of all processes": (distinct, 1),
    }
    limits.end(line, held)


def _asked(experiment: Experiment, processes: int, kill_after: int | None = None) -> tuple[int, set[bytes]]:
    """Return how many trainings were computed in all, and the different estimates that the processes ended with."""
    with tempfile.TemporaryDirectory() as home:
        log = Path(home) / "computed"
        log.touch()
        environment = {**os.environ, "TELLTALE_HOME": home, "OMP_NUM_THREADS": "1", "COMPUTED": str(log)}
        command = [sys.executable, "-c", RUN, json.dumps(experiment.as_dict())]
        running = [
            subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for _ in range(processes)
        ]
        if kill_after is not None:
            while log.stat().st_size < kill_after:
                time.sleep(0.01)
            running[0].kill()
            running.pop(0).communicate()
        answers = {each.communicate()[0] for each in running}
        if failed := [each.returncode for each in running if each.returncode]:
            raise RuntimeError(f"{len(failed)} processes ended with status {failed[0]}")
        return log.stat().st_size, answers


if __name__ == "__main__":
    main()
