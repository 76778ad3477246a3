"""Libraries compute in one thread where they are told to, those too that are loaded later."""

import os
import subprocess
import sys

LATER = """
from core.runtime.threads import in_one_thread
from threadpoolctl import threadpool_info
with in_one_thread():
    first = threadpool_info()
import sklearn.cluster
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
