"""How long the progress of a run stands still, and how far its estimate rises; run with python -m."""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from core.experiment import Experiment
from core.jobs import Job, Jobs
from core.jobs.timelines import SHIPPED, Timelines, kind
from core.runtime.store import Store
from dashboard.kit.forms import needed

ATTACKS = ("word_pairs", "classifier_probing", "canary_extraction")
BEFORE = {
    "word_pairs": {"still": 20.9, "rise": 121.8, "full": 19.8},
    "classifier_probing": {"still": 51.3, "rise": 1149.6, "full": 0.4},
    "canary_extraction": {"still": 25.5, "rise": 26.2, "full": 6.7},
}
"""Seconds, on two busy cores, before a run had a forecast, and while fitting held up what counts the trainings."""
_POLL_SECONDS = 0.1


@dataclass
class Watched:
    """What was seen of one run.

    Attributes:
        bar: When what a page shows changed (seconds), with what it said then.
        counted: The same without the bar: stages, finished items and points of the curve.
        left: When an estimate was read (seconds), its seconds, and whether it was set anew as late.
        full: Seconds for which the bar was full while the run worked.
    """

    bar: list[tuple[float, str]] = field(default_factory=list)
    counted: list[tuple[float, str]] = field(default_factory=list)
    left: list[tuple[float, float, bool]] = field(default_factory=list)
    full: float = 0.0

    def note(self, job: Job, moment: float) -> None:
        """Note what a page would show of a job."""
        caption = f"{job.stage}: {job.done} of {job.total}, {len(job.curve)} points"
        for seen, line in ((self.counted, caption), (self.bar, f"{caption}, {job.share:.1%}")):
            if not seen or seen[-1][1] != line:
                seen.append((moment, line))
        if job.seconds_left is not None:
            self.left.append((moment, job.seconds_left, job.late))
        self.full += _POLL_SECONDS * (job.share >= 1)

    def end(self, moment: float) -> None:
        """Note the end of the run."""
        self.bar.append((moment, "the end"))
        self.counted.append((moment, "the end"))

    def figures(self) -> dict[str, object]:
        """Return the figures of the run, in seconds."""
        still, stood = _longest(self.bar)
        uncounted, counted = _longest(self.counted)
        return {
            "still": round(still, 1),
            "stood": stood,
            "rise": round(self._rise(lambda late: not late), 1),
            "late": round(self._rise(lambda late: late), 1),
            "full": round(self.full, 1),
            "uncounted": round(uncounted, 1),
            "counted": counted,
            "seconds": round(self.bar[-1][0], 1),
        }

    def _rise(self, counts: Callable[[bool], bool]) -> float:
        """Return the largest rise of the estimate above an earlier one, while the page says or does not say late."""
        lowest, rise = float("inf"), 0.0
        for _, left, late in self.left:
            lowest = min(lowest, left)
            rise = max(rise, (left - lowest) * counts(late))
        return rise


def _longest(seen: list[tuple[float, str]]) -> tuple[float, str]:
    """Return the longest time without a change, and what stood there."""
    return max((later - moment, caption) for (moment, caption), (later, _) in pairwise(seen))


def main() -> None:
    """Run the demo of three attacks, each with two seeds, with a fresh store; print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", nargs="+", default=ATTACKS, help="Attacks whose demos are run.")
    parser.add_argument("--details", type=Path, help="File for everything that was seen.")
    parser.add_argument("--ship", action="store_true", help="Let the code know the stages of these demos, seed 7.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jobs = Jobs(Store(root=Path(folder)))
        runs = {}
        for attack in options.attacks:
            for seed in (7,) if options.ship else (7, 8):
                runs[f"{attack}, seed {seed}"] = _watched(jobs, attack, seed)
            if options.ship:
                _ship(jobs, attack, seed)
    if options.details:
        rows = {name: {"bar": run.bar, "counted": run.counted, "left": run.left} for name, run in runs.items()}
        options.details.write_text(json.dumps(rows))
    still = {name: _longest(run.bar)[0] for name, run in runs.items()}
    line = {
        "name": "live_progress",
        "ratio": round(max(before["still"] for before in BEFORE.values()) / max(still.values()), 1),
        "compared": "longest time without a change of what a page shows of three demo runs: before, over now",
        "figures": {"before": BEFORE, **{name: run.figures() for name, run in runs.items()}},
    }
    print(json.dumps(line))


def _watched(jobs: Jobs, attack: str, seed: int) -> Watched:
    """Run a demo as a page does, and watch it."""
    experiment = Experiment.preset(attack, "demo", seed=seed)
    watched, began = Watched(), time.monotonic()
    jobs.ask(experiment.as_dict(), experiment.key, expected=needed.expected_seconds(experiment))
    while (job := jobs.find(experiment.key)) is not None and job.active:
        watched.note(job, time.monotonic() - began)
        time.sleep(_POLL_SECONDS)
    if job is None or job.state != "done":
        raise SystemExit(f"The demo of {attack} did not end well: {job}.")
    watched.end(time.monotonic() - began)
    return watched


def _ship(jobs: Jobs, attack: str, seed: int) -> None:
    """Write the stages of a finished demo to those that come with the code."""
    values = Experiment.preset(attack, "demo", seed=seed).as_dict()
    stages = [[stage.name, round(stage.seconds, 2), stage.items] for stage in Timelines(jobs.store).of(values)]
    known = {**json.loads(SHIPPED.read_text()), kind(values): stages}
    lines = [f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
    SHIPPED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
