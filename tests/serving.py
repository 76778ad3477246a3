"""A dashboard of its own for tests and benchmarks: on a free port, with its home in a given folder."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.errands import await_health

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Served:
    """A running dashboard: its address and its process."""

    address: str
    process: psutil.Process

    def processor_seconds(self) -> float:
        """Return the processor time of the server itself; runs that it started do not count."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def memory_mb(self) -> float:
        """Return the resident memory of the server in megabytes."""
        return float(self.process.memory_info().rss) / 1e6


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Run a dashboard whose home lies in a folder, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"port": port, "headless": "true", "fileWatcherType": "none"}
    given = [word for name, value in options.items() for word in (f"--server.{name}", str(value))]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", *given]
    log = folder / "log.txt"
    with log.open("ab") as output:
        server = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "TELLTALE_HOME": str(folder / "home")}, stdout=output, stderr=output
        )
    try:
        await_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield Served(f"http://127.0.0.1:{port}", psutil.Process(server.pid))
    finally:
        server.terminate()
        server.wait()
