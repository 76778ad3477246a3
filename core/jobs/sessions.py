"""The processes of a run: a session, which is alive while its leader holds a file lock.

Unlike a process id, the lock means the same in every container that shares the folder. It needs no clock, and the
operating system releases it however the leader ends.
"""

import errno
import fcntl
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from core.errors import StoreError

_MARK = "TELLTALE_JOB"
_LOOKS = 5
_PAUSE = 0.02
"""Seconds between two looks."""
_KERNEL = (0, 2)
"""Parents of the kernel's own threads, which never have an environment."""
_NICENESS, _GROUP = 5, Path("/proc/self/autogroup")
"""How far a run steps back, and where Linux is told so of a whole session."""
_UNSUPPORTED = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


def start(
    command: Sequence[str], token: str, environment: Mapping[str, str], folder: Path, log: Path, lock: Path
) -> subprocess.Popen[bytes]:
    """Start and return the leader of a session.

    It inherits the lock, so that it never runs while it counts as dead.

    Args:
        command: The command of the leader.
        token: Marks all processes of the session; it must never have been used before.
        environment: Variables besides those of this process.
        folder: Working directory.
        log: File for its output.
        lock: Lock file, which must not exist yet.

    Raises:
        StoreError: The file system has no locks.
        OSError: A file cannot be written, or the command cannot be started.
    """
    with log.open("ab") as output, lock.open("xb") as lock_file:
        _acquire(lock_file.fileno(), lock)
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment, _MARK: token},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=(lock_file.fileno(),),
        )
    threading.Thread(target=process.wait, name=f"reap {process.pid}", daemon=True).start()
    return process


def step_back() -> None:
    """Let other processes go before this session, the dashboard above all.

    Linux with autogroups shares the processor among sessions first, and heeds niceness within each only.
    """
    os.nice(_NICENESS)
    with suppress(OSError):
        _GROUP.write_text(str(_NICENESS))


def is_alive(lock: Path) -> bool:
    """Tell whether the leader that inherited a lock is alive; True where that cannot be checked."""
    try:
        with lock.open("rb") as file:
            # Shared, so that two processes that check at once do not take each other for the leader.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return False


def end(token: str) -> None:
    """Kill the visible processes of a session, except this one; their environment holds the token.

    A process that was just forked or is about to execute may show none yet, so that it is looked for again. The tracker
    that removes their shared memory is spared: it ends by itself once they are gone.
    """
    for _ in range(_LOOKS):
        if not _kill_visible(token):
            return
        time.sleep(_PAUSE)


def _kill_visible(token: str) -> bool:
    """Kill what is seen of a session; return whether there may be more: one was killed, or shows no environment yet."""
    more = False
    for process in psutil.process_iter():
        try:
            environment = process.environ()
            if not environment:
                more |= process.status() != psutil.STATUS_ZOMBIE and process.ppid() not in _KERNEL
            if process.pid == os.getpid() or environment.get(_MARK) != token:
                continue
            if not any("resource_tracker" in word for word in process.cmdline()):
                process.kill()
                more = True
        except (psutil.Error, ProcessLookupError, PermissionError):
            continue
    return more


def _acquire(descriptor: int, lock: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        raise StoreError(
            f"The file system of {lock.parent} has no file locks, without which two servers would run the same "
            "experiment. Point TELLTALE_HOME at a folder of this machine."
        ) from error
