"""Compiles inner loops and keeps the machine code in a folder that belongs to this user alone."""

import hashlib
import inspect
import os
import pickle
import stat
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import njit
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from core.kernels.kept import folder

_DIGEST_BYTES = 32


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator like ``numba.njit(cache=True, ...)`` with a cache that is safe to read.

    Numba's own cache unpickles whatever lies in its folder, and a damaged file there ends the process.

    Args:
        options: Passed on to ``numba.njit``.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(**options)(function)
        dispatcher._cache = PrivateCache(function)
        return dispatcher

    return decorate


class PrivateCache(NullCache):
    """Machine code of one function, a file for each signature.

    A file is named by all that determines it: the versions of numba, llvmlite, numpy and Python, the processor and its
    features, the digest of the function's source file, and the signature. It begins with the SHA-256 of the rest. What
    is damaged is set aside and compiled again. A folder that others may enter is set aside too; one that belongs to
    somebody else is not touched, and nothing is kept.
    """

    def __init__(self, function: Callable[..., Any], release: str = "") -> None:
        """Keep a function, which calls compiled ones of its own file, or of its package of that release, only."""
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._source = hashlib.sha256(Path(inspect.getfile(function)).read_bytes() + release.encode()).hexdigest()

    @property
    def cache_path(self) -> str:
        """Folder of the files."""
        return str(folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the function compiled for a signature, or None."""
        target_context.refresh()
        with suppress(OSError), _private() as directory:
            content = _read(directory, self._file(sig, target_context.codegen()))
            if content is not None:
                # Written by this user, readable by nobody else, and whole.
                return CompileResult._rebuild(target_context, *pickle.loads(content))  # noqa: S301
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a function compiled for a signature; where that cannot be, each process compiles for itself."""
        if data.lifted or data.library.has_dynamic_globals:
            return
        with suppress(OSError), _private() as directory:
            _write(directory, self._file(sig, data.codegen), dumps(data._reduce()))

    def _file(self, sig: Any, codegen: Any) -> str:
        versions = numba.__version__, llvmlite.__version__, np.__version__, sys.version
        determined = repr((versions, codegen.magic_tuple(), self._source, self._name, sig))
        return f"{self._name}-{hashlib.sha256(determined.encode()).hexdigest()}"


@contextmanager
def _private() -> Iterator[int]:
    """Open the folder, which nobody but this user may enter.

    Raises:
        OSError: There is none, and none can be made.
    """
    path = folder()
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    status = path.lstat()
    if status.st_uid == os.geteuid() and (not stat.S_ISDIR(status.st_mode) or _open_to_others(status)):
        path.rename(path.with_name(f"{path.name}.refused-{uuid.uuid4().hex[:8]}"))
        path.mkdir(mode=0o700)
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        # Looked at again: only now can it not be exchanged any more.
        status = os.fstat(directory)
        if status.st_uid != os.geteuid() or _open_to_others(status):
            raise PermissionError(f"{path} is not private")
        yield directory
    finally:
        os.close(directory)


def _open_to_others(status: os.stat_result) -> bool:
    return bool(status.st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _read(directory: int, name: str) -> bytes | None:
    """Return the content of a file, or None when there is none or it is not as it was written."""
    try:
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=directory), "rb") as file:
            status = os.fstat(file.fileno())
            stored = file.read()
    except FileNotFoundError:
        return None
    digest, content = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
    if status.st_uid == os.geteuid() and not _open_to_others(status) and hashlib.sha256(content).digest() == digest:
        return content
    os.replace(name, f"{name}.damaged", src_dir_fd=directory, dst_dir_fd=directory)
    return None


def _write(directory: int, name: str, content: bytes) -> None:
    fresh = f"{name}.{uuid.uuid4().hex}"
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=directory), "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(fresh, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        with suppress(FileNotFoundError):
            os.remove(fresh, dir_fd=directory)
        raise
