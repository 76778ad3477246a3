"""Libraries compute in one thread where they are told to, those too that are loaded later; items side by side."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import torch

from core.runtime.threads import in_one_thread, side_by_side
from tests.patience import PATIENCE

LATER = """
from core.runtime.threads import in_one_thread
from threadpoolctl import threadpool_info
with in_one_thread():
    first = threadpool_info()
import faiss
with in_one_thread():
    second = threadpool_info()
print(len(second) > len(first), {library["num_threads"] for library in first + second})
print({library["num_threads"] for library in threadpool_info()} != {1})
"""


def test_a_library_that_is_loaded_later_computes_in_one_thread_too() -> None:
    three = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "3")
    done = subprocess.run(
        [sys.executable, "-c", LATER], env={**os.environ, **three}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["True {1}", "True"]


@pytest.fixture
def threads() -> Iterator[int]:
    """Let torch have three threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield 3
    torch.set_num_threads(before)


def later() -> int:
    """Return how many threads of torch a thread has that begins now."""
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    return counts[0]


def test_items_are_computed_at_once_each_in_one_thread_and_come_in_their_order(threads: int) -> None:
    together = threading.Barrier(threads, timeout=PATIENCE)

    def computed(item: int) -> tuple[int, int, bool]:
        together.wait()  # it breaks unless as many items are computed at once
        return item, torch.get_num_threads(), torch.is_inference_mode_enabled()

    assert list(side_by_side(computed, range(2 * threads), 8)) == [(item, 1, True) for item in range(2 * threads)]
    assert (torch.get_num_threads(), later()) == (threads, threads)


def test_no_more_items_at_once_than_asked(threads: int) -> None:
    names = side_by_side(lambda _: threading.current_thread().name, range(9), 1)
    assert len(set(names)) == 1


@pytest.mark.usefixtures("threads")
def test_in_a_worker_items_are_computed_one_after_another_where_they_are_asked_for() -> None:
    with in_one_thread():
        names = list(side_by_side(lambda _: threading.current_thread().name, range(3), 8))
    assert names == [threading.current_thread().name] * 3


def test_an_error_ends_the_others_and_leaves_torch_its_threads(threads: int) -> None:
    begun: list[int] = []

    def failing(item: int) -> None:
        begun.append(item)
        raise ValueError(item)

    with pytest.raises(ValueError, match=r"^0$"):
        list(side_by_side(failing, range(10_000), 8))
    assert len(begun) < 10_000
    assert (torch.get_num_threads(), later()) == (threads, threads)
