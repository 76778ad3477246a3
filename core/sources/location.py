"""Where the files of a source lie on this machine: a folder the user names, an installed package, or the cache."""

import os
from importlib.util import find_spec
from pathlib import Path

from core.runtime.folders import folder_named, home, is_file, shortened
from core.sources.records import Bundled, Pinned, Source


def cached(source: Source, file: Pinned) -> Path:
    """Return the path of a file in the cache, whether or not it is there."""
    return home() / "data" / source.name / file.path


def provided(source: Source, file: Pinned) -> Path | None:
    """Return a file in ``TELLTALE_DATA`` or in its package, which come before the cache and are never written to."""
    if isinstance(source, Bundled):
        spec = find_spec(source.package)
        folders = spec.submodule_search_locations if spec else None
        candidates = [Path(folder) / source.folder / file.path for folder in folders or ()]
    else:
        folder = os.environ.get("TELLTALE_DATA")
        candidates = [folder_named(folder) / source.name / file.path] if folder else []
    return next((path for path in candidates if is_file(path)), None)


def located(source: Source, file: Pinned) -> Path | None:
    """Return where a file lies, or None when it has to be downloaded."""
    path = cached(source, file)
    return provided(source, file) or (path if is_file(path) else None)


def problem() -> str:
    """Return what is wrong with the folder that ``TELLTALE_DATA`` names, or an empty text."""
    folder = os.environ.get("TELLTALE_DATA")
    if not folder:
        return ""
    try:
        next(folder_named(folder).iterdir(), None)
    except OSError as error:
        return (
            f"TELLTALE_DATA names {shortened(folder)!r}, which is no folder that can be read ({error.strerror}). "
            "Correct it, or remove it: datasets are then downloaded."
        )
    return ""
