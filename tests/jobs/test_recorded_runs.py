"""What a visitor is told of recorded runs on a busy machine: what is left falls, ends near zero, and is about true."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.jobs.forecast import Forecast, Outlook, Stage
from core.jobs.timelines import shipped

RUNS: dict[str, Any] = json.loads(Path(__file__).with_name("recorded_runs.json").read_text())
"""By kind of experiment, what happened when, on two cores with thirty to forty threads of other work.

Each row is a moment (seconds), then name, items and finished items of a stage that began; or finished items of the
stage; or, twice as a list, how busy the machine looked and what the run would have taken alone by then. The last row is
the end.
"""


class Told:
    """What is told every second of a recorded run."""

    def __init__(self, rows: list[list[Any]], before: list[Stage]) -> None:
        self.now, self.busy = 0.0, (None, 0.0)
        self.outlooks: list[Outlook] = []
        self.trained: list[tuple[float, float]] = []
        forecast = Forecast(before, lambda: self.now, lambda: self.busy[1], lambda: self.busy[0])
        second = 0.0
        for moment, *what in rows:
            while second < moment:
                self.now = second
                self.outlooks.append(forecast.outlook())
                second += 1.0
            self.now = moment
            match what:
                case [str(name), int(total), int(done)]:
                    forecast.stage(name, total, done)
                case [int(done)]:
                    forecast.advance(done)
                case [[slowdown, effort]]:
                    self.busy = slowdown, effort
        self.stages = forecast.close()

    @property
    def left(self) -> list[tuple[float, float]]:
        """What was said to be left, and what was, in seconds."""
        end = len(self.outlooks)
        estimates = [(outlook.seconds_left, end - second) for second, outlook in enumerate(self.outlooks)]
        return [(left, float(until)) for left, until in estimates if left is not None]


@pytest.fixture(params=RUNS)
def forecast_run(request: pytest.FixtureRequest) -> Told:
    """What is told of a run of which only the stages are known that come with the code."""
    return Told(RUNS[request.param], shipped()[request.param])


def test_what_is_said_to_be_left_rises_seldom_and_by_less_than_half_of_the_run(forecast_run: Told) -> None:
    rises = [later - earlier for (earlier, _), (later, _) in pairwise(forecast_run.left) if later > earlier]
    assert len(rises) <= 3
    assert sum(rises) < 0.5 * len(forecast_run.outlooks)


def test_what_is_said_to_be_left_is_about_what_is_left(forecast_run: Told) -> None:
    off = sorted(max(estimate, 1.0) / until for estimate, until in forecast_run.left if until >= 10.0)
    assert 0.5 < off[len(off) // 2] < 2.0
    assert off[len(off) // 10] > 0.2 and off[-len(off) // 10] < 4.0


def test_near_the_end_little_is_said_to_be_left(forecast_run: Told) -> None:
    assert forecast_run.left[-1][0] < 0.15 * len(forecast_run.outlooks)


def test_the_share_follows_what_is_done(forecast_run: Told) -> None:
    shares = [outlook.share for outlook in forecast_run.outlooks]
    assert shares == sorted(shares) and 0.7 < shares[-1] < 1.0
    ahead = [share - (second + 1) / len(shares) for second, share in enumerate(shares)]
    assert min(ahead) > -0.35 and max(ahead) < 0.35


@pytest.mark.parametrize("kind", RUNS)
def test_a_second_run_of_the_same_settings_is_foretold_too(kind: str) -> None:
    rows = RUNS[kind]
    again = Told(rows, Told(rows, shipped()[kind]).stages)
    off = sorted(estimate / until for estimate, until in again.left if until >= 10.0)
    assert 0.5 < off[len(off) // 2] < 1.5
    assert again.left[-1][0] < 0.1 * len(again.outlooks)
