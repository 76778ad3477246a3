"""Projection of vectors onto a plane, for display; UMAP's machine code is kept from one process to the next."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.kernels.kept import COMPILING, LOADING, layouts_are_kept
from core.runtime.progress import Progress

Method = Literal["pca", "umap"]
METHODS: tuple[Method, ...] = ("pca", "umap")

COMPILATIONS = 81
"""How many functions numba compiles for a first layout, those of its own library included."""

_LOOPS = {
    "distances": ("euclidean",),
    "utils": ("fast_knn_indices",),
    "umap_": ("smooth_knn_dist", "compute_membership_strengths"),
    "layouts": ("clip", "_nb_optimize_layout_euclidean_single_epoch"),
}
"""The compiled loops of a layout, by UMAP's module."""


def project(vectors: NDArray[np.float32], method: Method, seed: int) -> NDArray[np.float32]:
    """Return the coordinates of vectors in a plane, (vectors, 2).

    Args:
        vectors: (vectors, d) at least four.
        method: Linear projection (PCA) or neighbourhood-preserving layout (UMAP).
        seed: Fixes UMAP's layout.
    """
    if method == "pca":
        from sklearn.decomposition import PCA

        return np.asarray(PCA(2, svd_solver="full").fit_transform(vectors), dtype=np.float32)
    neighbours = min(10, len(vectors) - 1)
    layout = _umap()(n_neighbors=neighbours, init="pca", random_state=seed, n_jobs=1)
    return np.asarray(layout.fit_transform(vectors), dtype=np.float32)


def compile_loops(on_compiled: Callable[[], None]) -> None:
    """Compile what a layout needs, unless it is kept: seconds on the first use of a machine.

    Args:
        on_compiled: Called `COMPILATIONS` times, as the functions are compiled.
    """
    from numba.core import event

    counted = 0

    class Listener(event.Listener):
        def on_start(self, _: Any) -> None:
            pass

        def on_end(self, _: Any) -> None:
            nonlocal counted
            if counted < COMPILATIONS:
                counted += 1
                on_compiled()

    with event.install_listener("numba:compile", Listener()):
        project(np.random.default_rng(0).normal(size=(12, 4)).astype(np.float32), "umap", 0)
    for _ in range(COMPILATIONS - counted):
        on_compiled()


def prepare_layouts(progress: Progress) -> None:
    """Load what a layout needs, or compile it, as a stage of a run.

    Args:
        progress: Receives the stage, and each function as it is compiled.
    """
    if layouts_are_kept():
        progress.stage(LOADING)
        compile_loops(lambda: None)
    else:
        progress.stage(COMPILING, total=COMPILATIONS)
        compile_loops(progress.advance)


def _umap() -> Any:
    """Return UMAP, whose loops are kept as those of `core.kernels.compiled` are; a renamed one is compiled anew."""
    import umap

    from core.kernels.compiled import PrivateCache

    for module, names in _LOOPS.items():
        for name in names:
            loop = getattr(getattr(umap, module, None), name, None)
            if loop is not None and not isinstance(loop._cache, PrivateCache):
                loop._cache = PrivateCache(loop.py_func, umap.__version__)
    return umap.UMAP
