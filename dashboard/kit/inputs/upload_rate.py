"""How many uploads one visitor may give within a minute; they are counted in a small file for each visitor."""

import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from core.errors import InvalidDocuments
from core.runtime.environment import whole_number
from core.runtime.store import Store

A_MINUTE = "TELLTALE_UPLOADS_A_MINUTE"
"""Environment variable with the most new uploads of one visitor within a minute."""
_MOST = 100_000
_MINUTE = 60


def a_minute() -> int:
    """Return the most new uploads of one visitor within a minute.

    Raises:
        InvalidSpec: The environment holds no number of uploads.
    """
    return whole_number(A_MINUTE, 30, _MOST, "uploads")


def count(store: Store, visitor: Collection[str]) -> None:
    """Count one more upload of a visitor, or refuse it; call it under the lock of uploads.

    Args:
        store: Its root holds the files.
        visitor: Digests that name who gives it.

    Raises:
        InvalidDocuments: There were too many within the last minute.
        InvalidSpec: The environment holds no number of uploads.
    """
    most, now = a_minute(), time.time()
    recent = {giver: _moments(_folder(store) / giver, now) for giver in visitor}
    for moments in recent.values():
        if len(moments) >= most:
            seconds = int(sorted(moments)[-most] + _MINUTE - now) + 1
            raise InvalidDocuments(
                f"At most {most:,} new uploads of one visitor are taken within a minute. Try again in {seconds} s."
            )
    for giver, moments in recent.items():
        _folder(store).mkdir(parents=True, exist_ok=True)
        (_folder(store) / giver).write_text("\n".join(map(repr, [*moments, now])))


def forget(store: Store) -> None:
    """Remove the counts of those who gave nothing within the last minute."""
    with suppress(OSError):
        for file in _folder(store).iterdir():
            if not _moments(file, time.time()):
                file.unlink(missing_ok=True)


def _folder(store: Store) -> Path:
    return store.root / "upload-times"


def _moments(file: Path, now: float) -> list[float]:
    """Return when uploads were given within the last minute; what is no such time, after a fault, does not count."""
    try:
        moments = [float(line) for line in file.read_text().splitlines()]
    except (OSError, ValueError):
        return []
    return [moment for moment in moments if now - _MINUTE < moment <= now]
