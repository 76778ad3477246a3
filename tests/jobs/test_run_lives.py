"""One run has one process: across containers, clock changes, restarts and frozen processes."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil
import pytest

from core.errors import RunCancelled, StoreError
from core.jobs import Job, Jobs, sessions
from core.jobs.progress import JobProgress
from core.runtime.store import Store
from tests.errands import ROOT, gone, python
from tests.jobs.sleeping import Watching, started
from tests.patience import FOREVER, PATIENCE

SERVER = f"""
    import sys
    sys.path.insert(0, {str(ROOT)!r})
    from core.runtime.store import Store
    from tests.jobs.sleeping import Watching, started
    jobs = Watching(Store())
    print("ready", flush=True)
    for line in sys.stdin:
        getattr(jobs, line.split()[0])(*eval(line.split(maxsplit=1)[1]))
        job = jobs.find("a")
        print(len(started), job.state, job.token, flush=True)
"""


@pytest.fixture(autouse=True)
def runs(home: Path) -> Iterator[None]:
    """End what a test started, in whichever container."""
    started.clear()
    yield
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("TELLTALE_HOME") == str(home) and "-c" in process.cmdline():
                process.kill()


@cache
def contained() -> list[str]:
    """How to start a command whose process ids are its own, as in a container."""
    command = ["unshare", "--pid", "--fork", "--mount-proc"]
    try:
        subprocess.run([*command, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("Only who may make process-id namespaces can try this.")
    return command


class Container:
    """A server with process ids of its own."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [*contained(), *python("-c", textwrap.dedent(SERVER))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TELLTALE_HOME": str(home)},
            cwd=ROOT,
            text=True,
        )
        assert self._line() == "ready"

    def does(self, name: str, *arguments: object) -> tuple[int, str, str]:
        """Call the queue; return how many processes were started here, and state and token of the job."""
        assert self.process.stdin is not None
        print(name, arguments, file=self.process.stdin, flush=True)
        count, state, *token = self._line().split()
        return int(count), state, "".join(token)

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ends(self) -> None:
        """Stop the server and, as a container does, all that it started."""
        if self.process.poll() is not None:
            return
        for child in psutil.Process(self.process.pid).children():
            child.kill()
        self.process.communicate(timeout=PATIENCE)


@pytest.fixture
def containers(home: Path) -> Iterator[tuple[Container, Container]]:
    """Two servers that share a folder and see nothing of each other's processes."""
    both = Container(home), Container(home)
    yield both
    for container in both:
        container.ends()


def found(jobs: Jobs, key: str = "a") -> Job:
    job = jobs.find(key)
    assert job is not None
    return job


def processes(token: str) -> list[psutil.Process]:
    """The processes of a run, in whichever container."""
    return [process for process in psutil.process_iter(["cmdline"]) if token in (process.info["cmdline"] or [])]


def test_two_containers_leave_each_others_runs_alone(containers: tuple[Container, Container]) -> None:
    one, other = containers
    count, state, token = one.does("ask", {}, "a")
    assert (count, state) == (1, "running")
    for _ in range(5):
        assert other.does("tend") == (0, "running", token)
        assert other.does("ask", {}, "a") == (0, "running", token)
        assert one.does("tend") == (1, "running", token)
    (run,) = processes(token)
    assert run.is_running()


def test_a_run_cancelled_from_another_container_ends(containers: tuple[Container, Container]) -> None:
    one, other = containers
    _, _, token = one.does("ask", {}, "a")
    (run,) = processes(token)
    assert other.does("cancel", "a")[1] == "cancelled"
    assert gone([run])


def test_a_run_whose_container_is_gone_is_taken_over(containers: tuple[Container, Container]) -> None:
    one, other = containers
    _, _, token = one.does("ask", {}, "a")
    (run,) = processes(token)
    one.ends()
    assert gone([run])
    count, state, fresh = other.does("tend")
    assert (count, state) == (1, "running")
    assert fresh != token


@pytest.mark.parametrize("seconds", [-86_400.0, -1.0, 1.0, 86_400.0])
def test_a_clock_that_is_set_ends_no_run(store: Store, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    jobs = Watching(store)
    before = jobs.ask({}, "a")
    now, born = time.time, psutil.Process.create_time
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    # A process tells when it began by the moment the machine did, which moves with the clock.
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: born(process) + seconds)
    jobs.tend()
    assert found(jobs) == before
    assert len(started) == 1


def test_after_a_restart_of_the_machine_a_run_is_started_again(store: Store) -> None:
    jobs = Watching(store)
    token = jobs.ask({}, "a").token
    (run,) = processes(token)
    run.kill()
    assert gone([run])
    for path in (store.root / "run-locks").iterdir():
        path.unlink()
        path.touch()
    jobs.tend()
    assert found(jobs).token != token
    assert [path.name for path in (store.root / "run-locks").iterdir()] == [found(jobs).token]


def test_a_run_that_was_frozen_and_replaced_is_turned_away_and_ends(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Watching(store)
    old = jobs.ask({}, "a").token
    (frozen,) = processes(old)
    frozen.send_signal(signal.SIGSTOP)
    jobs.tend()
    assert found(jobs).token == old, "who is stopped holds its lock; only a person can tell that it will not go on"
    monkeypatch.setattr(sessions, "end", lambda _: None)  # as from another container
    jobs.cancel("a")
    fresh = jobs.ask({}, "a").token
    assert (found(jobs).state, fresh != old) == ("running", True)
    with pytest.raises(RunCancelled, match="another process"):
        JobProgress(jobs, "a", old).stage("Training")
    with pytest.raises(RunCancelled, match="another process"):
        jobs.claim("a", old)
    assert not jobs.finish("a", old, "done")
    assert found(jobs).state == "running"
    frozen.send_signal(signal.SIGCONT)
    assert gone([frozen])
    assert len(processes(fresh)) == 1


def test_a_run_outlives_a_server_that_is_told_to_stop(store: Store, home: Path) -> None:
    asking = textwrap.dedent(SERVER)
    server = subprocess.Popen(
        python("-c", asking), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True
    )
    assert server.stdin is not None and server.stdout is not None
    server.stdout.readline()
    print("ask ({}, 'a')", file=server.stdin, flush=True)
    token = server.stdout.readline().split()[2]
    os.killpg(server.pid, signal.SIGTERM)
    server.communicate(timeout=PATIENCE)
    jobs = Watching(store)
    jobs.tend()
    assert (found(jobs).state, found(jobs).token) == ("running", token)


def test_a_lock_that_cannot_be_looked_at_ends_no_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Watching(store)
    token = jobs.ask({}, "a").token

    def refused(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("fcntl.flock", refused)
    assert sessions.is_alive(store.root / "run-locks" / token)


def test_a_file_system_without_locks_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", unsupported)
    with pytest.raises(StoreError, match="no file locks"):
        Watching(store).ask({}, "a")
    assert not started


def test_a_process_that_shows_no_environment_yet_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    token = "a" * 32
    sleeper = [sys.executable, "-c", f"import time; time.sleep({FOREVER})"]
    child = subprocess.Popen(sleeper, env={"TELLTALE_JOB": token})
    shown, looks = psutil.Process.environ, [0]

    def late(process: psutil.Process) -> dict[str, str]:
        if process.pid != child.pid:
            return shown(process)
        looks[0] += 1
        return {} if looks[0] == 1 else shown(process)

    monkeypatch.setattr(psutil.Process, "environ", late)
    try:
        sessions.end(token)
        assert child.wait(PATIENCE) == -signal.SIGKILL and looks[0] > 1
    finally:
        child.kill()
        child.wait()


def test_a_run_steps_back_behind_the_dashboard_in_a_session_of_its_own() -> None:
    group = Path("/proc/self/autogroup")
    says = f"""
        import os
        from core.jobs import sessions
        sessions.step_back()
        print(os.nice(0), flush=True)
        os.execvp("cat", ["cat", "{group}"])
    """
    done = subprocess.run(
        python("-c", textwrap.dedent(says)),
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    niceness, *among_sessions = done.stdout.splitlines()
    assert int(niceness) == min(os.nice(0) + 5, 19)
    if group.exists():  # the kernel shares among sessions
        assert among_sessions[0].endswith(" nice 5")
