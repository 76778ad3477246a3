"""The processes of a run: a session of their own, known by a mark in their environment."""

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

_MARK = "TELLTALE_JOB"


def start(
    command: Sequence[str], mark: str, environment: Mapping[str, str], folder: Path, log: Path
) -> tuple[int, float]:
    """Start the leader of a session; return its number and when it was born.

    Args:
        command: What to execute.
        mark: By which all processes of the session are known.
        environment: Variables besides those of this process.
        folder: Where to execute it.
        log: File that takes what it prints.
    """
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment, _MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    born = psutil.Process(process.pid).create_time()
    threading.Thread(target=process.wait, name=f"reap {process.pid}", daemon=True).start()
    return process.pid, born


def is_alive(pid: int | None, born: float | None) -> bool:
    """Tell whether a process lives, and is not another one to which its number went."""
    if not isinstance(pid, int) or not isinstance(born, float):
        return False
    try:
        process = psutil.Process(pid)
        return bool(process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - born) < 1)
    except (psutil.Error, ValueError, OverflowError):
        return False


def end(leader: int | None, mark: str) -> None:
    """Kill the processes of a session that are left, knowing them by their session and by a mark in their environment.

    The tracker that removes their shared memory is spared: it ends by itself once they are gone.
    """
    if leader is None:
        return
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) != leader or process.environ().get(_MARK) != mark:
                continue
            if not any("resource_tracker" in word for word in process.cmdline()):
                process.kill()
        except (psutil.Error, ProcessLookupError, PermissionError):
            continue
