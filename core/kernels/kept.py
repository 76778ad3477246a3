"""Where compiled machine code is kept, and whether that of layouts is there; loads no compiler."""

from pathlib import Path

from platformdirs import user_cache_path

LOADING, COMPILING = "Loading what draws the maps", "Compiling what draws the maps"
"""Stage of a run before it lays out maps: where what it needs is kept, and where it is not."""
_LAST = "umap.layouts._optimize_layout_euclidean_single_epoch"
"""The loop of a layout that is compiled last."""


def folder() -> Path:
    """Return where machine code is kept: below the platform's folder for a user's caches."""
    return Path(user_cache_path("telltale", appauthor=False)) / "kernels"


def layouts_are_kept() -> bool:
    """Tell whether the machine code of layouts is kept, if only by an earlier version."""
    return any(folder().glob(f"{_LAST}-*"))
