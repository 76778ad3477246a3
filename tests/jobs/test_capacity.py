"""Runs side by side: as many as cores and memory allow, fair among visitors, with an honest time of waiting."""

import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.jobs import Job, Jobs
from core.jobs.capacity import Capacity
from core.jobs.job import STARTING
from core.jobs.progress import JobProgress
from core.jobs.waiting import in_turn, with_waits
from core.runtime import memory
from core.runtime.store import Store
from tests.patience import FOREVER

GIGABYTE = 10**9
pids: list[int] = []


@dataclass(frozen=True)
class Sleeping(Jobs):
    """A queue whose runs do nothing."""

    def _start(self, key: str, token: str) -> None:
        command = [sys.executable, "-c", f"import time; time.sleep({FOREVER})"]
        pids.append(self._launch(command, key, token).pid)


@pytest.fixture(autouse=True)
def sleepers() -> Iterator[None]:
    """End what a test started."""
    pids.clear()
    yield
    for pid in pids:
        if psutil.pid_exists(pid):
            psutil.Process(pid).send_signal(signal.SIGKILL)


def states(jobs: Jobs) -> dict[str, str]:
    return {job.key: job.state for job in jobs.all()}


def found(jobs: Jobs, key: str) -> Job:
    job = jobs.find(key)
    assert job is not None
    return job


def test_small_runs_go_side_by_side_where_cores_are_to_spare(store: Store) -> None:
    jobs = Sleeping(store, Capacity(8, 8, GIGABYTE))
    for key in "abcd":
        jobs.ask({}, key)
    assert states(jobs) == {"a": "running", "b": "running", "c": "queued", "d": "queued"}
    assert (found(jobs, "a").places, found(jobs, "b").places) == (6, 2)
    jobs.finish("a", found(jobs, "a").token, "done")
    jobs.tend()
    assert [found(jobs, key).places for key in "bcd"] == [2, 3, 3], "those who wait share alike"


def test_on_two_cores_a_run_alone_has_both_and_two_that_wait_get_one_each(store: Store) -> None:
    jobs = Sleeping(store, Capacity(2, 2, GIGABYTE))
    for key in "abc":
        jobs.ask({}, key)
    assert states(jobs) == {"a": "running", "b": "queued", "c": "queued"}
    assert found(jobs, "a").places == 2
    jobs.finish("a", found(jobs, "a").token, "done")
    jobs.tend()
    assert [found(jobs, key).places for key in "bc"] == [1, 1]


def test_a_run_beside_others_that_dies_is_taken_over_and_the_others_are_left_alone(store: Store) -> None:
    jobs = Sleeping(store, Capacity(8, 8, GIGABYTE))
    for key in "ab":
        jobs.ask({}, key)
    other, old = found(jobs, "a"), found(jobs, "b").token
    dead = psutil.Process(pids[1])
    dead.kill()
    dead.wait()
    jobs.tend()
    assert found(jobs, "a") == other
    assert found(jobs, "b").state == "running" and found(jobs, "b").token != old
    assert not jobs.update("b", old, stage="Training"), "whoever was replaced may not write"
    assert len(pids) == 3


@given(
    cores=st.integers(1, 64),
    places=st.integers(1, 64),
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40),
)
def test_runs_side_by_side_never_take_more_places_than_there_are(
    cores: int, places: int, steps: list[tuple[bool, int]]
) -> None:
    capacity = Capacity(cores, min(cores, places), GIGABYTE)
    taken: list[int] = []
    for ends, waiting in steps:
        if ends and taken:
            taken.pop(0)
        while waiting and (granted := capacity.grant(taken, waiting)):
            taken.append(granted)
            waiting -= 1
        assert sum(taken) <= capacity.places or len(taken) == 1
        assert not waiting or taken, "somebody always runs while somebody waits"
        assert all(granted <= cores for granted in taken)


@pytest.mark.parametrize("cores", [1, 2, 4, 16, 64])
@pytest.mark.parametrize("setting", ["", "1", "2", "10", "100"])
def test_the_memory_of_all_runs_together_stays_within_the_machine(
    monkeypatch: pytest.MonkeyPatch, setting: str, cores: int
) -> None:
    monkeypatch.setenv(memory.VARIABLE, setting)
    monkeypatch.setattr(memory, "_machine", lambda: 32 * GIGABYTE)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    capacity = Capacity.of_machine()
    for waiting in range(1, 9):
        taken: list[int] = []
        while granted := capacity.grant(taken, max(waiting - len(taken), 1)):
            taken.append(granted)
        limits = [capacity.limits(places) for places in taken]
        together = sum(run_memory + places * each for (run_memory, each), places in zip(limits, taken, strict=True))
        assert together <= 24 * GIGABYTE or (len(taken) == 1 and 2 * float(setting or 0) > 24)


def test_a_run_that_has_the_machine_to_itself_may_take_all_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "_machine", lambda: 32 * GIGABYTE)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    capacity = Capacity.of_machine()
    assert capacity.limits(capacity.grant([], 1)) == (12 * GIGABYTE, 6 * GIGABYTE)
    assert capacity.limits(capacity.grant([], 2)) == (6 * GIGABYTE, 6 * GIGABYTE)


@pytest.mark.parametrize(
    ("cores", "machine", "places", "run_memory", "each"),
    [
        (1, 2, 1, 1.0, 1.0),  # too little for two processes of a gigabyte
        (1, 4, 1, 1.5, 1.5),
        (2, 4, 1, 1.5, 1.5),
        (2, 8, 2, 2.0, 2.0),
        (2, 16, 2, 6.0, 3.0),
        (4, 8, 2, 2.0, 2.0),
        (4, 16, 4, 4.0, 2.0),
        (8, 8, 2, 2.0, 2.0),
        (8, 16, 5, 2.0, 2.0),
        (8, 48, 6, 13.5, 2.25),
        (64, 64, 9, 18.0, 2.0),
        (64, 512, 48, 144.0, 3.0),
    ],
)
def test_a_run_alone_gets_what_fits(
    monkeypatch: pytest.MonkeyPatch, cores: int, machine: int, places: int, run_memory: float, each: float
) -> None:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "_machine", lambda: machine * GIGABYTE)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    capacity = Capacity.of_machine()
    assert capacity.grant([], 1) == places
    assert capacity.limits(places) == (run_memory * GIGABYTE, each * GIGABYTE)
    assert run_memory + places * each <= 0.75 * machine or run_memory == each == 1.0


@pytest.mark.parametrize(
    ("cores", "machine", "alone", "beside", "two"), [(8, 48, 6, 2, 4), (2, 12, 2, 0, 1), (8, 16, 5, 0, 1)]
)
def test_the_examples_of_the_page_on_servers_are_true(
    monkeypatch: pytest.MonkeyPatch, cores: int, machine: int, alone: int, beside: int, two: int
) -> None:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "_machine", lambda: machine * GIGABYTE)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    capacity = Capacity.of_machine()
    assert (capacity.grant([], 1), capacity.grant([alone], 1), capacity.grant([], 2)) == (alone, beside, two)


def test_without_a_limit_of_memory_cores_alone_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, "0")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    capacity = Capacity.of_machine()
    assert (capacity.places, capacity.limits(6), capacity.limits(8)) == (8, (0, 0), (0, 0))


def test_a_limit_that_is_no_number_stops_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, "much")
    assert Capacity.of_machine().places == 1


def job(key: str, **values: object) -> Job:
    usual = {
        "experiment": {},
        "state": "queued",
        "asked": float(ord(key[0])),
        "started": None,
        "ended": None,
        "stage": "",
        "done": 0,
        "total": 0,
        "seconds_left": None,
        "curve": [],
        "message": "",
    }
    return Job(key=key, **{**usual, **values})  # type: ignore[arg-type]


def test_the_queue_is_fair_among_visitors() -> None:
    """Ann asked for four runs before Ben and Cem asked for one each."""
    running = job("a", state="running", asker="Ann", places=1)
    queue = [running, *(job(key, asker="Ann") for key in "bcd"), job("e", asker="Ben"), job("f", asker="Cem")]
    assert [each.key for each in in_turn(queue)] == ["e", "f", "b", "c", "d"]


def test_each_waiting_run_knows_its_wait_from_the_runs_before_it() -> None:
    one_place = Capacity(1, 1)
    running = job("a", state="running", seconds_left=30.0, whole=True, places=1)
    queue = [running, job("b", expected=60.0), job("c", expected=20.0), job("d")]
    waits = {each.key: (each.position, each.wait) for each in with_waits(queue, one_place)}
    assert waits == {"a": (0, None), "b": (1, 30.0), "c": (2, 90.0), "d": (3, 110.0)}


def test_a_run_that_has_just_started_takes_what_it_was_expected_to() -> None:
    began = time.time()
    for about in ({"stage": STARTING}, {"stage": "Loading the libraries", "whole": True}):
        queue = [job("a", state="running", started=began, expected=60.0, places=1, **about), job("b")]
        assert with_waits(queue, Capacity(1, 1))[1].wait == pytest.approx(60.0, abs=5.0)


def test_runs_that_wait_are_expected_to_take_longer_as_those_under_way_do() -> None:
    under_way = {"state": "running", "started": time.time() - 50.0, "expected": 30.0, "whole": True, "places": 1}
    queue = [job("a", seconds_left=40.0, late=True, **under_way), job("b", expected=20.0), job("c")]
    ahead, second, third = with_waits(queue, Capacity(1, 1))
    assert second.wait == 40.0 and third.wait == pytest.approx(40.0 + 3 * 20.0, abs=1.0)
    assert ahead.wait is None and second.late and third.late, "it is said that a run before takes longer"


def test_runs_that_start_together_are_both_next() -> None:
    """On two cores a run that came alone has both, and the two that wait get one each."""
    running = job("a", state="running", seconds_left=4.0, whole=True, places=2)
    queue = [running, job("b", expected=60.0), job("c", expected=60.0), job("d")]
    waits = {each.key: (each.position, each.wait) for each in with_waits(queue, Capacity(2, 2))}
    assert waits == {"a": (0, None), "b": (1, 4.0), "c": (1, 4.0), "d": (3, 64.0)}


def test_behind_a_run_of_unknown_length_no_wait_is_told() -> None:
    queue = [job("a", state="running", seconds_left=30.0, places=1), job("b", expected=60.0), job("c")]
    assert [each.wait for each in with_waits(queue, Capacity(1, 1))] == [None, None, None]


def test_with_places_for_two_the_one_that_ends_first_makes_room() -> None:
    queue = [
        job("a", state="running", seconds_left=300.0, whole=True, places=3),
        job("b", state="running", seconds_left=20.0, whole=True, places=1),
        job("c", expected=10.0),
        job("d", expected=10.0),
    ]
    waits = {each.key: each.wait for each in with_waits(queue, Capacity(4, 4))}
    assert waits["c"] == 20.0
    assert waits["d"] == 30.0


def test_the_time_of_a_run_elsewhere_is_known_to_those_who_wait_behind_it(store: Store) -> None:
    jobs = Sleeping(store, Capacity(1, 1))
    first = jobs.ask({}, "a", "Ann", expected=60.0)
    jobs.ask({}, "b", "Ben", expected=30.0)
    progress = JobProgress(jobs, "a", first.token)
    progress.stage("Training", total=10)
    assert found(jobs, "b").wait is None, "its stage says nothing of the whole"
    jobs.update("a", first.token, ends=found(jobs, "a").started + 60.0, whole=1)  # type: ignore[operator]
    assert 0 <= (found(jobs, "b").wait or -1) <= 60.0


def test_the_machine_s_memory_is_read_once_and_not_at_every_look_at_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Capacity.of_machine()
    monkeypatch.setattr(psutil, "virtual_memory", None)
    assert Capacity.of_machine() == known
