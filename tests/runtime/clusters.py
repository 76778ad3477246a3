"""A Dask cluster on this machine, whose parts can be killed and paused."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests.errands import ROOT, python
from tests.patience import PATIENCE

_PARTS = """
import json, os, sys
from importlib import import_module

commands = [("distributed.cli." + name, arguments) for name, *arguments in json.loads(sys.argv[1])]
for module in [module for module, _ in commands] + sys.argv[2:]:
    import_module(module)
for module, arguments in commands:
    pid = os.fork()
    if not pid:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = [module, *arguments]
        import_module(module).main(arguments)
    print(pid, flush=True)
for _ in commands:
    os.wait()
"""
"""Imports Dask once, and becomes a process for each part; waits for them, so that none is left as a zombie."""


class Cluster:
    """A Dask scheduler and workers of one thread each on this machine."""

    def __init__(self, folder: Path, size: int = 2, imports: Sequence[str] = ()) -> None:
        """Start it; `imports` are what its workers will need, which is then imported once for all of them."""
        self.address = f"tcp://127.0.0.1:{free_port()}"
        common = ("--host", "127.0.0.1", "--no-dashboard")
        worker = ("dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--memory-limit", "500MB", *common)
        scheduler = ("dask_scheduler", "--port", self.address.rpartition(":")[2], *common)
        self._parent = subprocess.Popen(
            python("-c", _PARTS, json.dumps([scheduler, *[worker] * size]), *imports),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._parent.stdout is not None
        self.scheduler, *self.workers = (psutil.Process(int(self._parent.stdout.readline())) for _ in range(1 + size))

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
        self._parent.communicate()


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
