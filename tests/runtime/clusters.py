"""A Dask cluster on this machine, whose parts can be killed and paused."""

import atexit
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import psutil

from tests.errands import ROOT, python
from tests.patience import PATIENCE

_NURSERY = """
import json, os, signal, sys
from contextlib import suppress
from distributed.cli import dask_scheduler, dask_worker

def bury(*_):
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass

signal.signal(signal.SIGCHLD, bury)
for line in sys.stdin:
    folder, variables, commands = json.loads(line)
    pids = []
    for name, *arguments in commands:
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.chdir(folder)
            os.environ.update(variables)
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1):
                os.dup2(null, stream)
            sys.argv = ["distributed.cli." + name, *arguments]
            {"dask_scheduler": dask_scheduler, "dask_worker": dask_worker}[name].main(arguments)
        pids.append(pid)
    print(*pids, flush=True)
"""
"""Imports Dask once, and becomes a process for each part of a cluster that is asked for; ends with whoever asks."""


@cache
def _nursery() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        python("-c", _NURSERY),
        env=_variables(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def _variables() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}


class Cluster:
    """A Dask scheduler and workers of one thread each on this machine."""

    def __init__(self, folder: Path, size: int = 2) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        common = ("--host", "127.0.0.1", "--no-dashboard")
        worker = ("dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--memory-limit", "500MB", *common)
        scheduler = ("dask_scheduler", "--port", self.address.rpartition(":")[2], *common)
        nursery = _nursery()
        assert nursery.stdin is not None and nursery.stdout is not None
        request = str(folder), _variables(), [scheduler, *[worker] * size]
        print(json.dumps(request), file=nursery.stdin, flush=True)
        self.scheduler, *self.workers = (psutil.Process(int(pid)) for pid in nursery.stdout.readline().split())

    def await_workers(self) -> None:
        from distributed import Client

        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with Client(self.address, timeout="5s", set_as_default=False) as client:
                    client.wait_for_workers(len(self.workers), timeout=PATIENCE)
                return
            except OSError:
                continue
        raise TimeoutError("no cluster")

    def pause(self, *processes: psutil.Process) -> None:
        """Freeze processes; they keep their connections and answer nothing."""
        for process in processes:
            process.suspend()

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs([*self.workers, self.scheduler])


@contextmanager
def ready(folder: Path, size: int = 2) -> Iterator[Cluster]:
    """A cluster whose workers have all come, and which ends with the block."""
    cluster = Cluster(folder, size)
    try:
        cluster.await_workers()
        yield cluster
    finally:
        cluster.end()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
