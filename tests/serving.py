"""A dashboard of its own for tests and benchmarks: on a free port, with its home in a given folder."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.errands import await_health, command

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Served:
    """A running dashboard: its address, its first process, and what it has printed."""

    address: str
    process: psutil.Process
    log: Path

    def processes(self) -> list[psutil.Process]:
        """Return the processes that answer visitors: those of Streamlit, and Caddy; runs are not among them."""
        family = [self.process, *self.process.children(recursive=True)]
        return [member for member in family if {"streamlit", "caddy"} & set(command(member))]

    def processor_seconds(self) -> float:
        """Return the processor time of these processes."""
        return float(sum(sum(process.cpu_times()[:2]) for process in self.processes()))

    def memory_mb(self) -> float:
        """Return their resident memory in megabytes."""
        return float(sum(process.memory_info().rss for process in self.processes())) / 1e6


@contextmanager
def serving(folder: Path, workers: int = 1, port: int = 0, **variables: str) -> Iterator[Served]:
    """Run a dashboard whose home lies in a folder, until the block ends.

    Args:
        folder: Holds the home and what the server prints.
        workers: Processes of Streamlit; more than one stand behind Caddy.
        port: Where it answers; 0 for any that is free.
        variables: Further variables of its environment.
    """
    port = port or free_ports(workers + 1)
    given = {"TELLTALE_HOME": folder / "home", "WORKERS": workers, "PORT": port, "PYTHON": sys.executable}
    options = {"STREAMLIT_SERVER_HEADLESS": "true"}
    environment = {**os.environ, **{name: str(value) for name, value in given.items()}, **options, **variables}
    log = folder / "log.txt"
    with log.open("ab") as output:
        server = subprocess.Popen(
            ["sh", "dashboard/server/serve.sh"], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
    try:
        await_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield Served(f"http://127.0.0.1:{port}", psutil.Process(server.pid), log)
    finally:
        server.terminate()
        server.wait()


def free_ports(count: int) -> int:
    """Return the first of several free ports in a row."""
    while True:
        with ExitStack() as stack:
            first = stack.enter_context(socket.socket())
            first.bind(("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                for further in range(port + 1, port + count):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", further))
            except (OSError, OverflowError):
                continue
            return port
