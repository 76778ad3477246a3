"""Memory limit of the processes that run experiments, and the error when one of them meets it, or that of a GPU."""

import errno
import math
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import psutil

from core.errors import InvalidSpec, OutOfMemory

VARIABLE = "TELLTALE_MEMORY_GB"
"""Environment variable with the most gigabytes of each process; 0 for no limit."""

_GIGABYTE = 10**9
_SHARE = 0.75
"""Default share of the machine's memory that a run may take."""
_LEAST = 2 * _GIGABYTE
"""Bytes that each process may take at least by default."""
_STARTED = 1.0
"""Gigabytes below which torch and numba do not start, so that no process could even say what it lacks."""

# What is limited is data (private memory that can be written), not the address space. Torch maps half a gigabyte of
# libraries, CUDA reserves more addresses than any machine has memory, and joblib and numpy map large arrays from files:
# all of that counts as address space, and none of it takes memory that nobody else could use.
_KIND = resource.RLIMIT_DATA

_SIGNS = ("annot allocate memory", "an't allocate memory", "not enough memory", "bad_alloc", "bad allocation")
"""What libraries say that raise something else than a MemoryError."""
_SIGNS_OF_GPU = ("CUDA out of memory", "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED")
"""What torch says when the memory of a GPU is full."""


def allowed(processes: int = 1) -> int:
    """Return how many bytes each of some processes may take, 0 for no limit.

    Args:
        processes: How many share the machine's memory where the environment does not say what each may take.

    Raises:
        InvalidSpec: The environment variable holds no number of gigabytes.
    """
    if not is_configured():
        return max(for_runs() // processes, _LEAST)
    text = os.environ[VARIABLE].strip()
    try:
        gigabytes = float(text)
    except ValueError:
        gigabytes = math.nan
    if gigabytes != 0 and not _STARTED <= gigabytes <= 1e6:
        raise InvalidSpec(
            f"{VARIABLE} must be a number of gigabytes, at least {_STARTED:g}, or 0 for no limit. Got {text[:60]!r} "
            f"instead. {_STARTED:g} is the smallest that works."
        )
    return int(gigabytes * _GIGABYTE)


def is_configured() -> bool:
    """Tell whether the environment sets what each process may take."""
    return bool(os.environ.get(VARIABLE, "").strip())


def for_runs() -> int:
    """Return how many bytes all runs of this machine may take together."""
    return int(_SHARE * _machine())


def limit(size: int) -> None:
    """Let this process, and those it starts from now on, take no more than some bytes; 0 changes nothing."""
    _, most = resource.getrlimit(_KIND)
    if size:
        resource.setrlimit(_KIND, (size if most == resource.RLIM_INFINITY else min(size, most), most))


def limited() -> bool:
    """Tell whether this process has a limit."""
    return resource.getrlimit(_KIND)[0] != resource.RLIM_INFINITY


@contextmanager
def within(size: int) -> Iterator[None]:
    """Limit this process, and those it starts meanwhile, to some bytes, 0 for no limit; say so where they are met.

    Raises:
        OutOfMemory: The process met its limit.
    """
    before = resource.getrlimit(_KIND)
    limit(size)
    try:
        with reported():
            yield
    finally:
        resource.setrlimit(_KIND, before)


@contextmanager
def reported() -> Iterator[None]:
    """Turn whatever is raised where the limit was met, or the memory of a GPU is full, into one error.

    Raises:
        OutOfMemory: The process met its limit, or what the GPU has left.
    """
    try:
        yield
    except (MemoryError, OSError, RuntimeError, ImportError) as error:
        if any(sign in str(error) for sign in _SIGNS_OF_GPU):
            raise OutOfMemory(
                "The run needs more memory than the GPU has left. Each process holds a network there: run it with "
                "--workers 1, choose a smaller batch or model, or set CUDA_VISIBLE_DEVICES= (empty) to compute on the "
                "processor."
            ) from error
        if not limited() or not _is_shortage(error):
            raise
        size = resource.getrlimit(_KIND)[0] / _GIGABYTE
        raise OutOfMemory(
            f"The run needs more memory than each of its processes may take, which is {size:,.3g} GB. Choose a smaller "
            f"model or fewer texts, or start Telltale with a higher {VARIABLE} (gigabytes; 0 for no limit)."
        ) from error


def _is_shortage(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in _SIGNS)


@cache
def _machine() -> int:
    """Return the bytes of memory that this machine, or the container around this process, has; read once a process."""
    sizes: list[int] = [psutil.virtual_memory().total]
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            sizes.append(int(Path(path).read_text()))
    return min(sizes)
