"""The processes of a run: a session of their own, which lives while its leader holds a file lock.

The lock is the only sign of life. Unlike a process id it means the same in every container that shares the folder, no
clock enters into it, and the operating system drops it however the leader ends.
"""

import errno
import fcntl
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from core.errors import StoreError

_MARK = "TELLTALE_JOB"
_UNSUPPORTED = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


def start(
    command: Sequence[str], token: str, environment: Mapping[str, str], folder: Path, log: Path, lock: Path
) -> subprocess.Popen[bytes]:
    """Start and return the leader of a session.

    It is born with the lock, so that at no moment it runs and counts as dead.

    Args:
        command: What to execute.
        token: By which all processes of the session are known; nothing else may ever have had it.
        environment: Variables besides those of this process.
        folder: Where to execute it.
        log: File that takes what it prints.
        lock: File that it holds the lock of; it must not exist yet.

    Raises:
        StoreError: The file system of the lock has none.
        OSError: A file cannot be written, or the command not be started.
    """
    with log.open("ab") as output, lock.open("xb") as held:
        _hold(held.fileno(), lock)
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment, _MARK: token},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=(held.fileno(),),
        )
    threading.Thread(target=process.wait, name=f"reap {process.pid}", daemon=True).start()
    return process


def is_alive(lock: Path) -> bool:
    """Tell whether the leader lives that was born with a lock; where that cannot be told, it does."""
    try:
        with lock.open("rb") as file:
            # Shared, so that two who look at once do not take each other for the leader.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return False


def end(token: str) -> None:
    """Kill the processes of a session that this one can see, itself excepted, knowing them by their environment.

    The tracker that removes their shared memory is spared: it ends by itself once they are gone.
    """
    for process in psutil.process_iter():
        try:
            if process.pid == os.getpid() or process.environ().get(_MARK) != token:
                continue
            if not any("resource_tracker" in word for word in process.cmdline()):
                process.kill()
        except (psutil.Error, ProcessLookupError, PermissionError):
            continue


def _hold(descriptor: int, lock: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        raise StoreError(
            f"The file system of {lock.parent} has no file locks, without which two servers would run the same "
            "experiment. Point TELLTALE_HOME at a folder of this machine."
        ) from error
