"""In how many threads libraries compute."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Let libraries compute in one thread: sums of several differ in their last bits, and with them the bytes."""
    import scipy.linalg  # noqa: F401 - its BLAS is limited only once it is loaded

    with _controller(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _controller(modules: int) -> Any:
    """Return what controls the libraries loaded so far; to look for them takes longer than a small training.

    Args:
        modules: How many modules are imported: a library comes with one.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
