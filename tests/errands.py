"""Functions for worker processes, a tiny experiment, and waits for processes."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import psutil
from numpy.typing import NDArray
from threadpoolctl import threadpool_info

from core.runtime.store import Store
from tests.patience import FOREVER, PATIENCE

ROOT = Path(__file__).resolve().parent.parent
Answer = TypeVar("Answer")
QUICK = ROOT / "tests" / "quick"
"""Modules that other processes find before the slow ones of the same name, when it is on their path."""


def tiny(source: str, **attack: Any) -> dict[str, Any]:
    """Values of an experiment of 4 target models and 12 shadow models."""
    return {
        "attack": {"part": "word_pairs", "shadow_pairs": 6, "baselines": False, **attack},
        "dataset": {"part": "documents", "source": source},
        "model": {
            "part": "word2vec",
            "trainer": "gensim",
            "dimension": 8,
            "minimum_count": 2,
            "epochs": 5,
            "window": 2,
        },
        "game": {"target_sizes": [10], "targets": 2, "plays": 4, "documents": 100},
        "seed": 1,
    }


def contents(store: Store, key: str) -> dict[str, bytes]:
    """Files of a result that equal experiments agree on."""
    files = store.get_files(key)
    assert files is not None, f"no result {key}"
    return {name: content for name, content in files.items() if name != "provenance.json"}


def gone(processes: list[psutil.Process]) -> bool:
    """Wait for processes of others to end."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not any(_runs(process) for process in processes):
            return True
        time.sleep(0.05)
    return False


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    """Processes below another that compute, the trackers of shared memory left out."""
    try:
        return [child for child in process.children(recursive=True) if "popen_loky" in " ".join(command(child))]
    except psutil.NoSuchProcess:
        return []


def command(process: psutil.Process) -> list[str]:
    """Return the command line of a process; nothing of one that has ended, though its parent may not know yet."""
    with suppress(psutil.NoSuchProcess):
        return list(process.cmdline())
    return []


def await_health(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a dashboard answers."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.2)
    raise AssertionError(f"The server did not start: {log.read_text(errors='replace')[-2000:]}")


def awaited(call: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Run a coroutine in a thread of its own: the browser of another test may run a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(lambda: asyncio.run(call())).result()


def square(item: int) -> int:
    return item * item


def look(item: int, table: NDArray[np.float64]) -> tuple[str, int, float]:
    """What a worker sees of a shared table: its kind, who looks, and one number."""
    return type(table).__name__, os.getpid(), float(table[item])


def threads(item: int) -> set[int]:
    """Return in how many threads the libraries of a process compute."""
    return {library["num_threads"] for library in threadpool_info()}


def tire(item: int, seconds: float) -> tuple[int, int]:
    time.sleep(seconds)
    return os.getpid(), item


def last(item: int) -> int:
    """Be done with the first item at once, and with no other before somebody ends it."""
    if item:
        time.sleep(FOREVER)
    return item


def die_once(item: int, folder: str) -> int:
    """Kill the worker the first time item 3 comes along."""
    if item == 3 and not (mark := Path(folder) / "died").exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def die(item: int) -> int:
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def fail(item: int) -> int:
    if item == 3:
        raise ValueError("three")
    return item


def hoard(item: int, size: int) -> int:
    """Take that many bytes, all at once."""
    return len(np.ones(size, np.uint8))


def grow(item: int, width: int) -> dict[str, NDArray[np.float32]]:
    return {"row": np.full(width, item, np.float32)}


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]
