"""A Dask cluster on this machine, whose parts can be killed and paused."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.errands import ROOT, python
from tests.patience import PATIENCE


class Cluster:
    """A Dask scheduler and workers of one thread each on this machine."""

    def __init__(self, folder: Path, size: int = 2) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        common = ["--host", "127.0.0.1", "--no-dashboard"]
        port = self.address.rpartition(":")[2]

        def started(module: str, *arguments: str) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                python("-m", f"distributed.cli.{module}", *arguments, *common),
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

        self.scheduler = started("dask_scheduler", "--port", port)
        worker = (self.address, "--nthreads", "1", "--no-nanny", "--memory-limit", "500MB")
        self.workers = [started("dask_worker", *worker) for _ in range(size)]

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

    def pause(self, *processes: subprocess.Popen[bytes]) -> None:
        """Freeze processes; they keep their connections and answer nothing."""
        for process in processes:
            process.send_signal(signal.SIGSTOP)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


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
