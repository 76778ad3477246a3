"""The queue runs each experiment once, one after the other, also after crashes and damage."""

import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import psutil
import pytest

from core.errors import RunCancelled, StoreFull, StoreReadOnly
from core.jobs import Job, Jobs, sessions, worker
from core.jobs import job as job_rows
from core.jobs.capacity import Capacity
from core.jobs.forecast import Forecast, Stage
from core.jobs.progress import JobProgress
from core.runtime import memory, shared_file
from core.runtime.sealed_rows import connect
from core.runtime.store import Store
from tests.errands import ROOT, command, gone, python
from tests.jobs.sleeping import ONE, WAITING, Idle, started
from tests.patience import FOREVER, PATIENCE


@dataclass(frozen=True)
class Mine(Jobs):
    """A queue whose run is this very process."""

    capacity: Capacity = ONE

    def _start(self, key: str, token: str) -> None:
        self._locks.mkdir(exist_ok=True)
        held.append((self._locks / token).open("xb"))
        fcntl.flock(held[-1], fcntl.LOCK_EX)


held: list[BinaryIO] = []


@pytest.fixture(autouse=True)
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the process of the tests as much memory as there is, though it plays the process of a run."""
    monkeypatch.setattr(memory, "limit", lambda _: None)


@pytest.fixture(autouse=True)
def sleepers() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that a test started."""
    started.clear()
    yield started
    for process in started:
        below = psutil.Process(process.pid).children() if process.poll() is None else []
        for each in (process, *below):
            each.kill()
        process.wait()
    while held:
        held.pop().close()


def found(jobs: Jobs, key: str) -> Job:
    job = jobs.find(key)
    assert job is not None
    return job


def token(jobs: Jobs, key: str) -> str:
    return found(jobs, key).token


def altered(store: Store, statement: str) -> None:
    with closing(sqlite3.connect(store.root / "jobs.sqlite")) as database, database:
        connect(database)
        database.execute(statement)


def below(process: subprocess.Popen[bytes]) -> psutil.Process:
    """The process below a sleeper, once it runs its own program: until then it holds the lock of the sleeper, too."""
    parent = psutil.Process(process.pid)
    while not (children := [child for child in parent.children() if command(child) not in ([], command(parent))]):
        time.sleep(0.01)
    return children[0]


def test_where_there_is_no_home_there_are_no_jobs(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in (store.root, tmp_path / "file" / "home"):
        jobs = Jobs(Store(root=root))
        assert jobs.all() == []
        assert jobs.find("a") is None
        jobs.tend()
        jobs.cancel("a")
        jobs.forget("a")
        assert not root.exists()
    with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
        jobs.ask({}, "a")


def test_asked_twice_it_runs_once_and_others_wait_in_order(store: Store) -> None:
    jobs = Idle(store)
    first = jobs.ask({"seed": 1}, "a")
    assert (first.state, first.stage, first.position) == ("running", "Starting", 0)
    assert first.started is not None
    for key in "bca":
        jobs.ask({"seed": 2}, key)
    assert [(job.key, job.state, job.position) for job in sorted(jobs.all(), key=lambda job: job.key)] == [
        ("a", "running", 0),
        ("b", "queued", 1),
        ("c", "queued", 2),
    ]
    assert len(started) == 1
    jobs.finish("a", token(jobs, "a"), "done")
    jobs.tend()
    assert [found(jobs, key).state for key in "abc"] == ["done", "running", "queued"]
    assert len(started) == 2
    assert found(jobs, "b").experiment == {"seed": 2}
    jobs.forget("a")
    jobs.forget("b")
    assert sorted(job.key for job in jobs.all()) == ["b", "c"]


def test_cancelling_ends_the_whole_session_and_only_that(store: Store) -> None:
    jobs = Idle(store)
    jobs.ask({}, "a")
    jobs.ask({}, "b")
    run, child = started[0], below(started[0])
    bystander = subprocess.Popen([sys.executable, "-c", WAITING], start_new_session=True)
    started.append(bystander)
    jobs.cancel("a")
    run.wait(PATIENCE)
    assert gone([child])
    assert bystander.poll() is None
    assert [found(jobs, key).state for key in "ab"] == ["cancelled", "running"]
    jobs.cancel("b")
    jobs.ask({}, "a")
    assert found(jobs, "a").state == "running"


def test_a_dead_run_is_started_again_and_given_up_when_it_gets_nowhere(store: Store) -> None:
    jobs = Idle(store)
    jobs.ask({}, "a")
    for attempt in range(5):
        assert found(jobs, "a").state == "running"
        leader, child = psutil.Process(started[-1].pid), below(started[-1])
        leader.kill()
        if attempt % 2:
            started[-1].wait()
        assert gone([leader])
        jobs.tend()
        assert gone([child]), "what the dead run left behind is ended"
    assert found(jobs, "a").state == "failed"
    assert "died 5 times" in found(jobs, "a").message
    assert len(started) == 5
    assert jobs.ask({}, "a").state == "running"


def test_a_run_that_gets_further_is_never_given_up(store: Store) -> None:
    jobs = Idle(store)
    jobs.ask({}, "a")
    for done in range(8):
        progress = JobProgress(jobs, "a", token(jobs, "a"))
        progress.stage("Training", total=100, done=done)
        progress.advance()
        started[-1].kill()
        started[-1].wait()
        jobs.tend()
    assert found(jobs, "a").state == "running"


def test_progress_includes_the_time_left(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, clock = Idle(store), [0.0]
    jobs.ask({}, "a")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + clock[0])
    progress = JobProgress(jobs, "a", token(jobs, "a"), Forecast(clock=lambda: clock[0]))
    progress.stage("Training", total=20, done=10)
    assert found(jobs, "a").seconds_left is None
    for clock[0] in (2.0, 4.0, 6.0, 8.0, 10.0):
        progress.advance()
        monkeypatch.setattr(progress, "_written", 0.0)
    progress.partial([{"k": 5, "accuracy": float("nan"), "auc": float("inf"), "low": 0.5}])
    job = found(jobs, "a")
    assert (job.stage, job.done, job.total) == ("Training", 15, 20)
    assert job.seconds_left == pytest.approx(10, abs=0.1), "five took ten seconds, and five are left"
    assert not job.whole, "of the stage: nothing is known of the run"
    assert job.curve == [{"k": 5, "accuracy": None, "auc": None, "low": 0.5}]
    clock[0] = 13.0
    assert found(jobs, "a").seconds_left == pytest.approx(7, abs=0.1), "it falls with the clock of who reads it"
    for _ in range(5):
        progress.advance()
    job = found(jobs, "a")
    assert job.done == 20
    assert job.share < 1, "the stage still works"


def test_the_forecast_is_written_while_nothing_is_reported(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JobProgress, "_beat", 0.01)
    jobs, clock = Idle(store), [0.0]
    jobs.ask({}, "a")
    forecast = Forecast([Stage("Reading", 10.0)], clock=lambda: clock[0])
    with JobProgress(jobs, "a", token(jobs, "a"), forecast) as progress:
        progress.stage("Reading")
        before = found(jobs, "a")
        for clock[0] in (2.0, 5.0, 8.0):
            while (job := found(jobs, "a")).share <= before.share:
                time.sleep(0.01)
            before = job
        assert before.whole


@pytest.mark.parametrize("seconds", [1e15, float("inf"), float("nan")])
def test_an_estimate_beyond_all_years_leaves_the_queue_readable(store: Store, seconds: float) -> None:
    jobs = Idle(store)
    jobs.ask({}, "a", expected=seconds)
    JobProgress(jobs, "a", token(jobs, "a"), Forecast([Stage("Reading", seconds)])).stage("Reading")
    jobs.tend()
    job = found(jobs, "a")
    assert job.state == "running" and (job.seconds_left or 0.0) > 1e9
    assert jobs.lost() is None


def test_a_cancelled_run_learns_it_from_its_progress(store: Store) -> None:
    jobs = Mine(store)
    jobs.ask({}, "a")
    progress = JobProgress(jobs, "a", token(jobs, "a"))
    progress.stage("Training")
    altered(store, "update jobs set state = 'cancelled'")
    with pytest.raises(RunCancelled, match="kept"):
        progress.stage("Fitting")


def test_a_look_at_one_job_says_what_the_list_says_and_reads_no_ended_ones(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Idle(store)
    for key in "abcdef":
        jobs.ask({"seed": 1}, key, f"asker of {key in 'df'}", expected=60.0)
    for key in "abc":
        jobs.finish(key, token(jobs, key), "done")
        jobs.tend()
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment)
    listed = {each.key: each for each in jobs.all()}
    assert [listed[key].state for key in "abcdef"] == ["done", "done", "done", "running", "queued", "queued"]
    assert [listed[key].position for key in "ef"] == [1, 2] and listed["f"].wait
    read: list[str] = []
    as_job = job_rows._job

    def noted(row: sqlite3.Row) -> Job:
        read.append(row["key"])
        return as_job(row)

    monkeypatch.setattr(job_rows, "_job", noted)
    for key, needed in {"a": "a", "d": "d", "e": "def", "f": "def", "x": ""}.items():
        assert jobs.find(key) == listed.get(key) and sorted(read) == list(needed)
        read.clear()
    jobs.tend()
    assert sorted(read) == ["d", "e", "f"]
    read.clear()
    assert jobs.is_claimed("d", listed["d"].token) and not jobs.is_claimed("a", listed["a"].token)
    assert read == ["d"]


def test_tending_and_reading_wait_for_no_writer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_file, "_PATIENCE", FOREVER)
    jobs = Idle(store)
    jobs.ask({}, "a")
    jobs.ask({}, "b")
    with closing(sqlite3.connect(store.root / "jobs.sqlite", isolation_level=None)) as other:
        other.execute("begin immediate")
        jobs.tend()
        assert len(jobs.all()) == 2
        other.execute("rollback")


def test_two_servers_at_once_start_one_run(store: Store, home: Path) -> None:
    script = f"""
        import sys, time
        sys.path.insert(0, {str(ROOT)!r})
        from tests.jobs.sleeping import Idle, started
        from core.runtime.store import Store
        jobs = Idle(Store())
        print("ready", flush=True)
        sys.stdin.readline()
        for turn in range(15):
            for key in ("same", sys.argv[1]):
                jobs.ask({{}}, key)
            jobs.tend()
            jobs.update("same", jobs.find("same").token, stage=str(turn))
            assert jobs.find("same").state == "running"
        print(len(started), *[process.pid for process in started], flush=True)
    """
    servers = [
        subprocess.Popen(
            python("-c", textwrap.dedent(script), name),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TELLTALE_HOME": str(home)},
            cwd=ROOT,
            text=True,
        )
        for name in ("one", "two")
    ]
    for server in servers:
        assert server.stdout is not None and server.stdout.readline() == "ready\n"
    for server in servers:
        assert server.stdin is not None
        server.stdin.write("\n")
        server.stdin.flush()
    outputs = [server.communicate(timeout=PATIENCE)[0].split() for server in servers]
    for pid in (int(word) for words in outputs for word in words[1:]):
        for process in psutil.Process(pid).children():
            process.kill()
        os.kill(pid, signal.SIGKILL)
    assert [server.returncode for server in servers] == [0, 0]
    assert sum(int(words[0]) for words in outputs) == 1
    jobs = Jobs(store)
    assert sorted((job.key, job.state) for job in jobs.all()) == [
        ("one", "queued"),
        ("same", "running"),
        ("two", "queued"),
    ]


@contextmanager
def unprivileged() -> Iterator[None]:
    """Be somebody whom permissions stop."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_home_that_cannot_be_written_may_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        store = Store(root=Path(name) / "home", shipped=Path(name) / "shipped")
        jobs = Mine(store)
        jobs.ask({"seed": 1}, "a")
        jobs.finish("a", token(jobs, "a"), "done")
        store.put_files("a", {"x": b"1"})
        Path(name).chmod(0o755)
        for path in (store.root, *store.root.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with unprivileged():
            assert [job.state for job in jobs.all()] == ["done"]
            jobs.tend()
            assert store.get_files("a") == {"x": b"1"}
            with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
                jobs.ask({}, "b")
            for refused in (jobs.cancel, jobs.forget, store.delete):
                with pytest.raises(StoreReadOnly):
                    refused("a")
        for path in (store.root, *store.root.rglob("*")):
            path.chmod(0o755)


def test_a_run_that_fails_says_why(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "step_back", lambda: None)
    jobs = Mine(store)
    monkeypatch.setattr(worker, "Jobs", lambda _: jobs)
    jobs.ask({"attack": "word_pear"}, "a")
    worker.main("a", token(jobs, "a"))
    job = found(jobs, "a")
    assert (job.state, job.message) == ("failed", "No attack is named 'word_pear'. Did you mean 'word_pairs'?")
    jobs.ask({"attack": "word_pairs", "dataset": "lee_news", "model": "word2vec"}, "b")
    worker.main("b", token(jobs, "b"))
    assert "Run it again" in found(jobs, "b").message, "its key is not that of the experiment"


@pytest.mark.parametrize(
    ("raised", "says"),
    [
        (StoreFull("No space is left in here."), "No space is left in here."),
        (MemoryError("no room"), "Unexpected MemoryError: no room"),
        (type("PanicException", (BaseException,), {})("no rule"), "Unexpected PanicException: no rule"),
    ],
)
def test_whatever_goes_wrong_the_job_ends_failed(
    store: Store, monkeypatch: pytest.MonkeyPatch, planted: Any, raised: BaseException, says: str
) -> None:
    from core import experiment
    from tests.errands import tiny

    def broken(*_: Any) -> None:
        raise raised

    key = experiment.Experiment.parse(tiny(planted.source)).key
    monkeypatch.setattr(sessions, "step_back", lambda: None)
    monkeypatch.setattr(experiment, "run", broken)
    jobs = Mine(store)
    monkeypatch.setattr(worker, "Jobs", lambda _: jobs)
    jobs.ask(tiny(planted.source), key)
    refusals = iter([StoreFull("Still full."), None])
    finish = Jobs.finish

    def finish_later(self: Jobs, *arguments: Any) -> bool:
        if refusal := next(refusals):
            raise refusal
        return finish(self, *arguments)

    monkeypatch.setattr(Jobs, "finish", finish_later)
    worker.main(key, token(jobs, key))
    assert (found(jobs, key).state, found(jobs, key).message) == ("failed", says)


def test_progress_that_cannot_be_written_stops_no_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Mine(store)
    jobs.ask({}, "a")

    def full(*_: Any, **__: Any) -> bool:
        raise StoreFull("No space is left.")

    monkeypatch.setattr(Jobs, "update", full)
    JobProgress(jobs, "a", token(jobs, "a")).stage("Training")


def test_a_process_whose_job_is_not_its_own_leaves_it_alone(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = Idle(store)
    jobs.ask({}, "a")
    worker.main("a", "0" * 16)
    worker.main("unknown", token(jobs, "a"))
    assert "given to another process" in capsys.readouterr().err
    assert found(jobs, "a").state == "running"


def test_a_sign_of_life_comes_before_the_heavy_libraries(store: Store) -> None:
    heavy = {"numpy", "pandas", "pydantic", "numba", "joblib"}
    script = f"import core.jobs.worker, sys; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output(python("-c", script), cwd=ROOT, text=True) == "[]\n"
    jobs = Jobs(store)
    assert jobs.ask({"attack": "nobody"}, "a").stage
    while (job := found(jobs, "a")).active:
        time.sleep(0.02)
    assert job.message.startswith("No attack is named 'nobody'.")
    assert job.stage == "Loading the libraries", "it got no further"


def test_the_experiment_is_kept_as_it_was_asked(store: Store) -> None:
    values = {"attack": {"part": "x", "list": [1, 2.5, None, True]}, "seed": 3}
    job = Mine(store).ask(values, "a")
    assert job.experiment == values
    assert json.loads(json.dumps(Mine(store).claim("a", job.token).experiment)) == values
