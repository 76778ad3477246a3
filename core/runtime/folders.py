"""The folders a user names, files written whole or not at all, and errors that say what cannot be written, and why."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path

from core.errors import StoreError, StoreFull, StoreReadOnly

_LONGEST_NAME = 120
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_UNWRITABLE = (
    *(errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR),
    *(errno.EEXIST, errno.ENOENT, errno.ENAMETOOLONG, errno.ELOOP),
)


def home() -> Path:
    """Return the user's own folder: ``TELLTALE_HOME``, or the platform's place for user data."""
    return folder_named(os.environ.get("TELLTALE_HOME") or str(user_data_path("telltale", appauthor=False)))


def folder_named(value: str) -> Path:
    """Return the folder that a user names, which may begin with ``~`` or ``~user``.

    Where there is no such user, the folder returned lies below the null device: it has no files and takes none.
    """
    try:
        return Path(value).expanduser().absolute()
    except (RuntimeError, OSError):
        return Path(os.devnull) / value


def is_file(path: Path) -> bool:
    """Tell whether a path leads to a file; a path that cannot be looked at does not."""
    try:
        return path.is_file()
    except OSError:
        return False


def shortened(name: str) -> str:
    """Return the name of a folder, cut where it is too long for a message."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


@contextmanager
def locked(name: str, root: Path) -> Iterator[None]:
    """Let one thread or process at a time do what a name stands for; the others wait for it.

    Args:
        name: What is done.
        root: The folder that it changes; below it lies the lock's file.

    Raises:
        StoreError: The lock's file cannot be written.
    """
    from filelock import FileLock

    folder = root / "locks"
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{name}.lock")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def write_whole(path: Path, content: bytes | memoryview, beside: Path | None = None) -> None:
    """Write a file that is whole or absent, though the disk be full or the process killed; a failure leaves nothing.

    Args:
        path: File to write, or to replace.
        content: What it will hold.
        beside: Folder of the same disk where it lies until it is whole, where a killed process may leave it; that of
            the file by default.

    Raises:
        OSError: It cannot be written.
    """
    beside = beside or path.parent
    for folder in (path.parent, beside):
        folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=beside, prefix=".")
    os.close(handle)
    fresh = Path(name)
    try:
        write_flushed(fresh, content)
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def write_flushed(path: Path, content: bytes | memoryview) -> None:
    """Write a file, and wait until the disk has it."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn the operating system's errors about writing below a folder into errors that say what to do.

    Raises:
        StoreFull: No space is left.
        StoreReadOnly: The folder cannot be written.
        StoreError: Writing failed for another reason.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreFull(
                f"No space is left in {folder}. Free some, then run again: it resumes. TELLTALE_HOME can name another "
                "folder."
            ) from error
        if error.errno in _UNWRITABLE:
            raise StoreReadOnly(
                f"{_refusal(str(folder), error)}. Point TELLTALE_HOME at a folder that can be written."
            ) from error
        raise StoreError(f"{folder}: {error.strerror or error}") from error


@contextmanager
def writing_named(path: Path) -> Iterator[None]:
    """Turn the operating system's errors about writing a file that somebody named into errors that name it.

    Raises:
        StoreFull: No space is left.
        StoreReadOnly: It cannot be written.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreFull(f"No space is left for {path}. Free some, or name a file elsewhere.") from error
        raise StoreReadOnly(
            f"{_refusal(str(path), error)}. Name a file in a folder that exists and can be written."
        ) from error


def _refusal(name: str, error: OSError) -> str:
    reason = error.strerror
    if name.startswith(f"{os.devnull}/~"):
        name, reason = name.removeprefix(f"{os.devnull}/"), "there is no such user"
    if (short_name := shortened(name)) != name:
        reason = f"{reason}: {len(name):,} characters"
    return f"{short_name} cannot be written ({reason})"
