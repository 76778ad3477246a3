"""Uploads on disk: whose they are, how much one visitor and all together may keep, and how one is deleted."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InvalidDocuments, StoreError
from core.jobs import Jobs
from core.jobs.erasing import erase
from core.runtime.environment import whole_number
from core.runtime.folders import locked, writing
from core.runtime.store import Store
from dashboard.kit.inputs import upload_rate
from dashboard.kit.words import file_size

OF_ONE, OF_ALL = "TELLTALE_UPLOADS_KEPT_MB", "TELLTALE_UPLOADS_DISK_MB"
"""Environment variables with the most megabytes that the uploads of one visitor, and of all, may take on disk."""
FOR_DAYS = "TELLTALE_UPLOADS_DAYS"
"""Environment variable with the days after which an upload is deleted, counted from when it was last given."""
LOCK = "uploads"
"""The lock under which uploads come and go."""
_MOST = 10_000_000
_NUMBER_OF_ONE, _NUMBER_OF_ALL = 500, 10_000
"""The most uploads of one visitor, and of all: each new one looks at all of them."""
_BLOCK = 4_096
_DAY = 86_400
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Upload:
    """An upload on disk.

    Attributes:
        id: Name of its folder, by its content.
        name: What its visitor sees: the file's name, or the number of files; the id if its folder cannot be read.
        size: Bytes that its files take on disk, as far as they can be read.
        givers: Digests that name who gave it.
    """

    id: str
    name: str
    size: int
    givers: frozenset[str]


def folder(store: Store) -> Path:
    """Return the folder that holds all uploads of a store."""
    return store.root / "uploads"


def givers(store: Store, upload_id: str) -> Path:
    """Return the folder that notes who gave an upload, one empty file each."""
    return store.root / "uploaded-by" / upload_id


def note(store: Store, upload_id: str, visitor: Collection[str]) -> None:
    """Note that a visitor gives an upload now; who may read it depends on whether they were in a room by then.

    Args:
        store: Its root holds the folder.
        upload_id: Name of the folder of the upload.
        visitor: Digests that name who gives it.
    """
    now = time.time()
    for giver in visitor:
        noted = givers(store, upload_id) / giver
        noted.parent.mkdir(parents=True, exist_ok=True)
        noted.touch()
        os.utime(noted, (now, now))  # the clock of files lags a little behind that of rooms


def times_given(store: Store, upload_id: str) -> dict[str, float]:
    """Return when an upload was last given, in seconds since 1970, by the digest of who gave it."""
    times: dict[str, float] = {}
    for noted in givers(store, upload_id).glob("*"):
        with suppress(FileNotFoundError):  # it is deleted meanwhile
            times[noted.name] = noted.stat().st_mtime
    return times


def stored(store: Store) -> list[Upload]:
    """Return all uploads on disk, the largest first.

    Raises:
        StoreError: Their folder cannot be read.
    """
    try:
        paths = [path for path in folder(store).iterdir() if _ID.fullmatch(path.name) and path.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{folder(store)} cannot be read: {error.strerror}.") from error
    uploads = [_upload(store, path) for path in paths]
    return sorted(uploads, key=lambda upload: (-upload.size, upload.id))


def given_by(visitor: Collection[str], uploads: Iterable[Upload]) -> list[Upload]:
    """Return the uploads that a visitor gave, in the same order.

    Args:
        visitor: Digests that name who it is.
        uploads: Some uploads.
    """
    return [upload for upload in uploads if upload.givers.intersection(visitor)]


def gave(visitor: Collection[str], store: Store, source: str) -> bool:
    """Tell whether a visitor gave the upload that a path lies in.

    Args:
        visitor: Digests that name who it is.
        store: Keeps the uploads.
        source: The path.
    """
    base = folder(store).resolve()
    upload_folder = next((path for path in Path(source).parents if path.parent == base), None)
    return upload_folder is not None and any((givers(store, upload_folder.name) / giver).exists() for giver in visitor)


def rule() -> str:
    """Return how much may be kept, as a sentence."""
    of_one, of_all = _bounds()
    return (
        f"This server keeps at most {_NUMBER_OF_ONE:,} uploads for each visitor, {file_size(of_one)} together, and "
        f"{file_size(of_all)} for all, for {_days():,} days."
    )


def on_disk(sizes: Iterable[int]) -> int:
    """Return the bytes that files take on disk together: whole blocks, so that small ones count.

    Args:
        sizes: Bytes of each.

    >>> on_disk([1, 5000])
    12288
    """
    return sum(-(-size // _BLOCK) * _BLOCK for size in sizes)


def admit(store: Store, upload_id: str, size: int, visitor: Collection[str]) -> None:
    """Count an upload of a visitor, or refuse it where there is no room or they come too fast; under the `LOCK`.

    Args:
        store: Keeps the uploads.
        upload_id: Name of the folder of the new one.
        size: Bytes that it takes on disk.
        visitor: Digests that name who gives it.

    Raises:
        InvalidDocuments: There is no room, and the message names what to delete; or too many came within a minute.
        StoreError: The uploads that are there cannot be counted.
        InvalidSpec: The environment holds no number of megabytes or uploads.
    """
    of_one, of_all = _bounds()
    uploads = stored(store)
    mine = given_by(visitor, uploads)
    if any(upload.id == upload_id for upload in mine):
        return
    remedy = f" Delete one of yours on the page Runs: {mine[0].name} has {file_size(mine[0].size)}." if mine else ""
    used = sum(upload.size for upload in mine)
    if used + size > of_one:
        raise InvalidDocuments(
            f"This upload of {file_size(size)} is not kept: this server keeps {file_size(of_one)} for each visitor"
            f"{f', of which yours take {file_size(used)}' if mine else ''}.{remedy or ' Upload fewer documents.'}"
        )
    if len(mine) >= _NUMBER_OF_ONE:
        raise InvalidDocuments(
            f"This upload is not kept: this server keeps {_NUMBER_OF_ONE:,} uploads of each visitor.{remedy}"
        )
    if all(upload.id != upload_id for upload in uploads):
        used = sum(upload.size for upload in uploads)
        if used + size > of_all:
            raise InvalidDocuments(
                f"This upload of {file_size(size)} is not kept: this server keeps {file_size(of_all)} for all visitors "
                f"together, of which {file_size(used)} are taken.{remedy} Its owner can make room by {OF_ALL}."
            )
        if len(uploads) >= _NUMBER_OF_ALL:
            raise InvalidDocuments(
                f"This upload is not kept: this server keeps {_NUMBER_OF_ALL:,} uploads of all visitors together."
                f"{remedy} {'Or try' if mine else 'Try'} again once others are deleted."
            )
    upload_rate.count(store, visitor)


def delete(store: Store, upload_id: str, visitor: Collection[str]) -> None:
    """Delete an upload of a visitor, and the visitor's runs of it with all that was kept for them.

    The file stays if others gave it too; so do the runs that others asked for.

    Raises:
        StoreError: It cannot be deleted.
    """
    with locked(LOCK, store.root), writing(store.root):
        _delete(store, upload_id, visitor)


def ends(store: Store, upload_id: str, visitor: Collection[str]) -> float:
    """Return when an upload of a visitor will be deleted, in seconds since 1970."""
    moments = times_given(store, upload_id)
    return max((moments[giver] for giver in visitor if giver in moments), default=0.0) + _days() * _DAY


def expire(store: Store) -> None:
    """Delete the uploads whose days are over, with the runs of them; what cannot be deleted waits for the next call.

    Raises:
        StoreError: The uploads cannot be read.
        InvalidSpec: The environment holds no number of days.
    """
    oldest = time.time() - _days() * _DAY
    with locked(LOCK, store.root), writing(store.root):
        upload_rate.forget(store)
        for upload in stored(store):
            nobody = not upload.givers and (folder(store) / upload.id).stat().st_mtime < oldest
            late = [giver for giver, moment in times_given(store, upload.id).items() if moment < oldest]
            if late or nobody:
                with suppress(StoreError, OSError):
                    _delete(store, upload.id, late)


def _delete(store: Store, upload_id: str, visitor: Collection[str]) -> None:
    """Delete an upload of a visitor, and the visitor's runs of it; under the `LOCK`."""
    jobs = Jobs(store)
    below = f"{(folder(store) / upload_id).resolve()}/"
    erase(jobs, [job.key for job in jobs.all() if job.asker in visitor and _names(job.experiment, below)])
    for giver in visitor:
        (givers(store, upload_id) / giver).unlink(missing_ok=True)
    if any(givers(store, upload_id).glob("*")):
        return
    shutil.rmtree(givers(store, upload_id), ignore_errors=True)
    with suppress(FileNotFoundError), tempfile.TemporaryDirectory(dir=folder(store), prefix=".") as discarded:
        (folder(store) / upload_id).rename(Path(discarded) / upload_id)


def _names(values: Any, below: str) -> bool:
    """Tell whether one of the plain values of an experiment is a path below a folder."""
    if isinstance(values, dict):
        return any(_names(value, below) for value in values.values())
    if isinstance(values, list | tuple):
        return any(_names(value, below) for value in values)
    return isinstance(values, str) and values.startswith(below)


def _upload(store: Store, path: Path) -> Upload:
    """Describe an upload; where it cannot be read, or is deleted meanwhile, by what is still to be seen."""
    names: list[str] = []
    sizes: list[int] = []
    for inside, folders, files in os.walk(path):
        names = names or sorted([*folders, *files])
        for file in files:
            with suppress(OSError):
                sizes.append(Path(inside, file).stat().st_size)
    return Upload(path.name, ", ".join(names) or path.name, on_disk(sizes), frozenset(times_given(store, path.name)))


def _days() -> int:
    return whole_number(FOR_DAYS, 30, 36_500, "days")


def _bounds() -> tuple[int, int]:
    """Return the most bytes of one visitor, and of all; raise `InvalidSpec` where the environment holds no number."""
    of_one = whole_number(OF_ONE, 1_000, _MOST, "megabytes")
    return of_one * 1_000_000, whole_number(OF_ALL, 10_000, _MOST, "megabytes") * 1_000_000
