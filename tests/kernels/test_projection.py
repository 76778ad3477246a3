"""Layouts: compiled with a count on the first use of a machine, kept from then on, and the same to the byte."""

import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import event

from core.kernels import projection
from core.kernels.kept import COMPILING, LOADING, layouts_are_kept
from core.kernels.projection import COMPILATIONS, compile_loops, prepare_layouts
from core.runtime.progress import Progress
from tests.kernels.test_compiled import ROOT

LAY_OUT = """
import os
import sys
import numpy as np
import scipy.sparse.csgraph, sklearn.decomposition, sklearn.metrics, sklearn.neighbors
from numba.core import event
from core.kernels.kept import layouts_are_kept
from core.kernels.projection import COMPILATIONS, compile_loops, project

def apart(work):
    if not os.fork():
        work()
        sys.stdout.flush()
        os._exit(0)
    if os.wait()[1]:
        sys.exit(1)

def load():
    import umap

def lay_out():
    steps = []
    with event.install_recorder("numba:compile") as compiled:
        compile_loops(lambda: steps.append(len(compiled.buffer)))
    assert len(steps) == COMPILATIONS
    vectors = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
    vectors[:20] += 10
    with event.install_recorder("numba:compile") as later:
        layout = project(vectors, "umap", 1)
    print(layout.tobytes().hex(), len(set(steps)), len(later.buffer), flush=True)

assert not layouts_are_kept()
apart(load)  # a first import compiles what later ones only load
load()
apart(lay_out)
assert layouts_are_kept()
apart(lay_out)
"""


@pytest.mark.exhaustive
def test_what_lays_out_is_compiled_once_a_machine_and_counted(tmp_path: Path) -> None:
    """Two processes, one after the other, lay the same out; they share imports, but nothing that is compiled.

    That loops are kept, and that UMAP has those named, is shown below; what UMAP makes numba compile, here alone.
    """
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_OPT": "1"}  # what is counted does not change
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LAY_OUT], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (first, counted, later), (again, counted_again, later_again) = (line.split() for line in done.stdout.splitlines())
    assert int(counted) == COMPILATIONS, "each step is one function that was compiled"
    assert later == later_again == "0", "nothing is left to compile for the maps"
    layout = np.frombuffer(bytes.fromhex(first), np.float32).reshape(2, 20, 2)
    assert np.ptp(layout.mean(1), axis=0).max() > 2 * layout.std(1).max(), "two groups stay apart"
    assert again == first, "the same to the byte"
    assert int(counted_again) < 5, "kept: only what has no file of its own"


def loop(module: str, name: str) -> Any:
    """Return a small loop, not compiled yet, that is called like one of UMAP."""

    def double(number: float) -> float:
        return 2 * number

    double.__module__, double.__qualname__ = f"umap.{module}", name.removeprefix("_nb")
    return numba.njit(double)


def small_umap() -> ModuleType:
    """Return a UMAP as a process imports it anew: its loops, and a layout that calls each once."""
    parts = {module: {name: loop(module, name) for name in names} for module, names in projection._LOOPS.items()}

    class Layout:
        def __init__(self, **_: Any) -> None:
            pass

        def fit_transform(self, vectors: Any) -> Any:
            return [[each(1.0) for loops in parts.values() for each in loops.values()] for _ in vectors]

    small = ModuleType("umap")
    vars(small).update({module: SimpleNamespace(**loops) for module, loops in parts.items()})
    vars(small).update(__version__="1.0", UMAP=Layout)
    return small


def counted(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, int]:
    """Prepare layouts as a new process would; return how many functions were compiled, steps, and different steps."""
    monkeypatch.setitem(sys.modules, "umap", small_umap())
    steps: list[int] = []
    with event.install_recorder("numba:compile") as compiled:
        compile_loops(lambda: steps.append(len(compiled.buffer)))
    return len(compiled.buffer) // 2, len(steps), len(set(steps))


def test_loops_are_compiled_once_a_machine_and_each_is_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loops = sum(map(len, projection._LOOPS.values()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert not layouts_are_kept()
    assert counted(monkeypatch) == (loops, COMPILATIONS, loops)
    assert layouts_are_kept()
    assert counted(monkeypatch) == (0, COMPILATIONS, 1)


def test_umap_has_the_loops_that_are_kept() -> None:
    for module, names in projection._LOOPS.items():
        text = Path(str(distribution("umap-learn").locate_file(f"umap/{module}.py"))).read_text("utf-8")
        assert [name for name in names if not re.search(rf"^(def {name}\(|{name} = )", text, re.MULTILINE)] == []


def test_steps_are_counted_where_nothing_is_compiled() -> None:
    steps: list[None] = []
    compile_loops(lambda: steps.append(None))
    assert len(steps) == COMPILATIONS


@pytest.mark.parametrize(("kept", "stage"), [(True, (LOADING, 0)), (False, (COMPILING, COMPILATIONS))])
def test_what_is_only_loaded_is_a_stage_without_items(
    kept: bool, stage: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them would be finished at once at its end."""
    reported: list[tuple[str, int]] = []
    progress = Progress()
    monkeypatch.setattr(projection, "layouts_are_kept", lambda: kept)
    monkeypatch.setattr(progress, "stage", lambda name, total=0: reported.append((name, total)))
    monkeypatch.setattr(progress, "advance", lambda: reported.append(("function", 1)))
    prepare_layouts(progress)
    assert reported == [stage] + [("function", 1)] * stage[1]
