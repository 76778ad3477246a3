"""Endpoint of the warm process: a socket and a lock in a folder that only this user may enter."""

import fcntl
import hashlib
import os
import signal
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import ReadersUnavailable
from core.runtime.folders import home, shortened

_LONGEST_PATH = 107
"""Most bytes of the path of a socket, on Linux."""


@dataclass(frozen=True)
class Endpoint:
    """The files of one warm process.

    Attributes:
        folder: Private to this user, and on this machine whatever the home is: sockets are no good over a network.
        name: Hash of the code and the home, so that another installation has a process of its own.
    """

    folder: Path
    name: str

    @property
    def socket(self) -> Path:
        """Where the process listens."""
        return self.folder / f"{self.name}.sock"

    @property
    def lock(self) -> Path:
        """What the process locks as long as it lives; holds its number."""
        return self.folder / f"{self.name}.lock"

    def claim(self) -> int | None:
        """Return the open lock of this process, or None where another process holds it."""
        descriptor = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        return descriptor

    def holder(self) -> int | None:
        """Return the number of the process that holds the lock, or None."""
        with suppress(OSError, ValueError), self.lock.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read())
        return None

    def mark(self) -> None:
        """Note the time on the lock: its holder has just answered somebody."""
        with suppress(OSError):
            os.utime(self.lock)

    def marked(self) -> int:
        """Return when the holder last answered somebody or took the lock, in nanoseconds; 0 without a lock."""
        try:
            return self.lock.stat().st_mtime_ns
        except OSError:
            return 0

    def end(self, only: int | None = None) -> None:
        """Kill the process that holds the lock, if there is one; a held lock says that the number is still its own.

        Args:
            only: Kill no process but this.
        """
        if (number := self.holder()) is not None and only in (None, number):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)


def here() -> Endpoint:
    """Return the endpoint of this user and installation; its folder is made.

    Raises:
        ReadersUnavailable: The folder cannot be made, its path is too long, or somebody else may enter it.
    """
    folder = _runtime_folder()
    identity = f"{Path(__file__).resolve()}\0{home()}".encode(errors="surrogateescape")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status, above = folder.lstat(), folder.parent.stat()
    except OSError as error:
        raise ReadersUnavailable(f"{folder} cannot be made ({error.strerror}), where sentences are read.") from None
    private = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    if not private or above.st_uid not in (0, os.getuid()):
        raise ReadersUnavailable(f"{folder} must be a folder that only this user may enter. Others may.")
    endpoint = Endpoint(folder, hashlib.sha256(identity).hexdigest()[:16])
    if (length := len(os.fsencode(endpoint.socket))) > _LONGEST_PATH:
        raise ReadersUnavailable(
            f"The path of a socket may have {_LONGEST_PATH} bytes. That in {shortened(str(folder))} has {length}. "
            "Point XDG_RUNTIME_DIR, or TMPDIR where that is not set, at a folder with a shorter path."
        )
    return endpoint


def _runtime_folder() -> Path:
    """Return the folder below the one that the system keeps for this user, or below the one for temporary files."""
    system_folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return (
        Path(system_folder) / "telltale"
        if Path(system_folder).is_absolute()
        else Path(tempfile.gettempdir()) / f"telltale-{os.getuid()}"
    )
