"""In how many threads libraries compute."""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

Item = TypeVar("Item")
Out = TypeVar("Out")

BATCHES = 8
"""Most batches at once, if a processor has cores for them, for each takes memory; a graphics card has one."""


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Let libraries compute in one thread: sums of several differ in their last bits, and with them the bytes."""
    import scipy.linalg  # noqa: F401 - its BLAS is limited only once it is loaded

    with _controller(len(sys.modules)).limit(limits=1):
        yield


def side_by_side(function: Callable[[Item], Out], items: Iterable[Item], most: int) -> Iterator[Out]:
    """Yield what a function computes with torch of each item, in their order; each in one thread, without gradients.

    As many items at once as torch has threads here, so one at a time in a worker of the engine. The threads of one
    small batch wait for each other after every operation, and for long where other programs need the cores.

    Args:
        function: Must not change what several calls share.
        items: All are taken at the start.
        most: Most items at once, each of which takes memory.
    """
    import torch

    def computed(item: Item) -> Out:
        with torch.inference_mode():
            return function(item)

    threads = torch.get_num_threads()
    if threads == 1:
        yield from map(computed, items)
        return
    try:
        with ThreadPoolExecutor(max(min(threads, most), 1), initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield from pool.map(computed, items)
    finally:
        torch.set_num_threads(threads)  # which threads that begin later would have been given 1 of


@lru_cache(maxsize=1)
def _controller(modules: int) -> Any:
    """Return what controls the libraries loaded so far; to look for them takes longer than a small training."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
