"""Layouts: compiled with a count on the first use of a machine, kept from then on, and the same to the byte."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.kernels.projection import COMPILATIONS, compile_loops
from tests.kernels.test_compiled import ROOT

LAY_OUT = """
import numpy as np
from numba.core import event
from core.kernels.projection import COMPILATIONS, compile_loops, project
steps = []
with event.install_recorder("numba:compile") as compiled:
    compile_loops(lambda: steps.append(len(compiled.buffer)))
assert len(steps) == COMPILATIONS
vectors = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
vectors[:20] += 10
with event.install_recorder("numba:compile") as later:
    layout = project(vectors, "umap", 1)
print(layout.tobytes().hex(), len(set(steps)), len(later.buffer))
"""


def laid_out(caches: Path) -> tuple[str, int, int]:
    """Lay vectors out in a process of its own; return the layout, and what was compiled before and during it."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(caches)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LAY_OUT], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    layout, counted, later = done.stdout.split()
    return layout, int(counted), int(later)


def test_what_lays_out_is_compiled_once_a_machine_and_counted(tmp_path: Path) -> None:
    first, counted, later = laid_out(tmp_path)
    assert counted == COMPILATIONS, "each step is one function that was compiled"
    assert later == 0, "nothing is left to compile for the maps"
    layout = np.frombuffer(bytes.fromhex(first), np.float32).reshape(2, 20, 2)
    assert np.ptp(layout.mean(1), axis=0).max() > 2 * layout.std(1).max(), "two groups stay apart"
    again, counted, later = laid_out(tmp_path)
    assert again == first, "the same to the byte"
    assert counted < 5 and later == 0, "kept: only what has no file of its own"


def test_steps_are_counted_where_nothing_is_compiled() -> None:
    steps: list[None] = []
    compile_loops(lambda: steps.append(None))
    assert len(steps) == COMPILATIONS
