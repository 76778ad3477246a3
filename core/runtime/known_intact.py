"""The SQLite files that this process found intact, so that one is checked again only where it may have changed."""

import time
from pathlib import Path

from core.runtime.change_count import ENDING

Stamp = tuple[tuple[int, ...], ...]
_SETTLED = 0.05
"""Seconds after which a further change shows in the times of a file; they are those of the latest tick of a clock."""
_TRUSTED = 60.0
"""Seconds after which a file is checked again though it has not changed: a disk loses bits without a trace."""
_found: dict[Path, tuple[Stamp, float]] = {}


def stamp(path: Path) -> Stamp | None:
    """Return what differs once a file, its log or its count has changed; None where a change may not show yet.

    To be read before the file is opened. An empty log says nothing: it comes and goes with whoever reads.
    """
    endings = ["", ENDING]
    try:
        if path.with_name(f"{path.name}-wal").stat().st_size:
            endings += ["-wal", "-shm"]
    except OSError:
        pass
    stamps: list[tuple[int, ...]] = []
    for ending in endings:
        try:
            file = path.with_name(f"{path.name}{ending}").stat()
        except OSError:
            stamps.append(())
            continue
        if time.time() - max(file.st_mtime, file.st_ctime) <= _SETTLED:
            return None
        stamps.append((file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns))
    return tuple(stamps)


def remember(path: Path, checked: Stamp | None) -> None:
    """Note that a file with this stamp was found intact."""
    if checked is not None:
        _found[path] = checked, time.monotonic()


def is_known(path: Path, seen: Stamp | None) -> bool:
    """Tell whether a file with this stamp was found intact not long ago."""
    known, moment = _found.get(path, ((), 0.0))
    return seen == known and time.monotonic() - moment < _TRUSTED
