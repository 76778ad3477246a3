"""Keeps results and their costly parts by key: a read-only cache that ships with the code, under the user's own."""

import errno
import hashlib
import io
import json
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from platformdirs import user_data_path

from core.errors import StoreError, StoreFull, StoreReadOnly

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHIPPED = Path(__file__).resolve().parents[2] / "precomputed"
MANIFEST = "manifest.json"
_DIGEST_BYTES = 32
_ATTEMPTS = 20
_STALE_SECONDS = 86_400.0
_LONGEST_SHOWN = 120
_UNWRITABLE = (
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.ENOENT,
    errno.ENAMETOOLONG,
    errno.ELOOP,
)


def home() -> Path:
    """Return the user's own folder: ``TELLTALE_HOME``, or the platform's place for user data."""
    return folder_named(os.environ.get("TELLTALE_HOME") or str(user_data_path("telltale", appauthor=False)))


def folder_named(value: str) -> Path:
    """Return the folder that a person names, who may begin with ``~`` or ``~user``.

    Where there is no such user, nothing can be found below what is returned, and nothing put there.
    """
    try:
        return Path(value).expanduser().absolute()
    except (RuntimeError, OSError):
        return Path(os.devnull) / value


@dataclass(frozen=True)
class Store:
    """Results by key, and the parts of runs (each shadow's features, each target model's vectors).

    Everything is written to a temporary name, flushed and renamed, so that a file is whole or absent; everything is
    checked against its SHA-256 when read. What fails the check is set aside under ``damaged/`` and counts as absent.

    Attributes:
        root: Folder that is written.
        shipped: Read-only folder of precomputed results, looked at first.
    """

    root: Path = field(default_factory=home)
    shipped: Path = SHIPPED

    def results(self) -> list[str]:
        """Return the keys of all stored results, precomputed ones included."""
        found: set[str] = set()
        for base in self._bases():
            with suppress(OSError):
                found |= {path.parent.name for path in base.glob(f"*/{MANIFEST}")}
        return sorted(found)

    def is_shipped(self, key: str) -> bool:
        """Tell whether a result comes with the code."""
        return _is_file(self.shipped / key / MANIFEST)

    def get_files(self, key: str) -> dict[str, bytes] | None:
        """Return the files of a result, or None when there is none or it is damaged.

        Raises:
            StoreError: It is there and cannot be opened.
        """
        for base in self._bases():
            if _is_file(base / key / MANIFEST) and (files := self._checked(base / key)) is not None:
                return files
        return None

    def put_files(self, key: str, files: Mapping[str, bytes]) -> None:
        """Store the files of a result at once, replacing what is there.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
        """
        self._put(self.root / "results", self._temporary, key, files)

    def ship(self, key: str) -> None:
        """Copy a result of the user's own to those that come with the code.

        Raises:
            StoreError: There is no such result, or it cannot be written.
        """
        files = self._checked(self.root / "results" / key)
        if files is None:
            raise StoreError(f"No intact result {key} is in {self.root}.")
        self._put(self.shipped, self.shipped, key, files)

    def _put(self, folder: Path, beside: Path, key: str, files: Mapping[str, bytes]) -> None:
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
        with self.writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            beside.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=beside, prefix=".", ignore_cleanup_errors=True) as name:
                fresh = Path(name) / "fresh"
                fresh.mkdir()
                for filename, content in files.items():
                    _write_flushed(fresh / filename, content)
                _write_flushed(fresh / MANIFEST, json.dumps(digests, indent=1).encode())
                _exchange(fresh, folder / key, Path(name))

    def delete(self, key: str) -> None:
        """Remove a result of the user's own; precomputed ones stay.

        Raises:
            StoreReadOnly: The folder cannot be written.
        """
        path = self.root / "results" / key
        with self.writing():
            if not path.exists():
                return
            self._temporary.mkdir(parents=True, exist_ok=True)
            gone = Path(tempfile.mkdtemp(dir=self._temporary))
            with suppress(FileNotFoundError):
                path.rename(gone / key)
            shutil.rmtree(gone, ignore_errors=True)

    def get_part(self, key: str, name: str) -> "dict[str, NDArray[np.generic]] | None":
        """Return the arrays of a part, or None when it is absent or damaged.

        Raises:
            StoreError: It is there and cannot be opened.
        """
        import numpy as np

        path = self._part(key, name)
        try:
            content = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error.strerror}.") from error
        digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if hashlib.sha256(payload).digest() != digest:
            self._set_aside(path)
            return None
        with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
            return dict(arrays)

    def put_part(self, key: str, name: str, arrays: "Mapping[str, NDArray[np.generic]]") -> None:
        """Store the arrays of one part of a run.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
        """
        import numpy as np

        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        payload = buffer.getvalue()
        path = self._part(key, name)
        with self.writing():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._temporary.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self._temporary)
            os.close(handle)
            try:
                _write_flushed(Path(temporary), hashlib.sha256(payload).digest() + payload)
                Path(temporary).replace(path)
            finally:
                Path(temporary).unlink(missing_ok=True)

    def part_names(self, key: str) -> set[str]:
        """Return the names of the parts stored under a key."""
        try:
            return {path.stem for path in (self.root / "parts" / key).glob("*.npz")}
        except OSError:
            return set()

    def delete_parts(self, key: str) -> None:
        """Remove the parts stored under a key, which something later has replaced."""
        shutil.rmtree(self.root / "parts" / key, ignore_errors=True)

    def export(self, key: str) -> bytes | None:
        """Return a result as one zip file, or None when there is none."""
        files = self.get_files(key)
        if files is None:
            return None
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(files.items()):
                archive.writestr(zipfile.ZipInfo(f"{key}/{name}"), content)
        return buffer.getvalue()

    def scratch(self) -> IO[bytes]:
        """Open a file for the working data of one process; it vanishes when closed.

        Raises:
            StoreReadOnly: The folder cannot be written.
        """
        with self.writing():
            self.root.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryFile(dir=self.root, buffering=0)

    def check_writable(self) -> None:
        """Fail now rather than after an hour's work, and clear away what killed processes left half written.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
        """
        with self.writing():
            self.root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.root) as probe:
                probe.write(b"\0" * 4096)
        for path in self._temporary.glob("*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _STALE_SECONDS:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _bases(self) -> tuple[Path, Path]:
        return self.shipped, self.root / "results"

    def _part(self, key: str, name: str) -> Path:
        return self.root / "parts" / key / f"{name}.npz"

    @property
    def _temporary(self) -> Path:
        return self.root / "temporary"

    def _checked(self, folder: Path) -> dict[str, bytes] | None:
        # Read twice before calling it damaged: another process may have put a fresh result in its place meanwhile.
        for _ in range(2):
            try:
                digests: dict[str, str] = json.loads((folder / MANIFEST).read_bytes())
                files = {name: (folder / name).read_bytes() for name in digests}
                if all(hashlib.sha256(files[name]).hexdigest() == digest for name, digest in digests.items()):
                    return files
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError, TypeError, AttributeError):
                continue
            except OSError as error:
                raise StoreError(f"{folder} cannot be read: {error.strerror}.") from error
        if folder.parent != self.shipped:
            self._set_aside(folder)
        return None

    def _set_aside(self, path: Path) -> None:
        """Move what is damaged out of the way, where that is possible: whether or not it moves, it counts as absent."""
        aside = self.root / "damaged"
        with suppress(OSError):
            aside.mkdir(parents=True, exist_ok=True)
            path.rename(Path(tempfile.mkdtemp(dir=aside)) / path.name)

    @contextmanager
    def writing(self, folder: Path | None = None) -> Iterator[None]:
        """Turn what the operating system says about writing into errors a person can act on.

        Args:
            folder: What is written; the root when None.

        Raises:
            StoreFull: No space is left.
            StoreReadOnly: The folder cannot be written.
        """
        folder = folder or self.root
        try:
            yield
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise StoreFull(f"No space is left in {folder}. Free some, then run again: it resumes.") from error
            if error.errno in _UNWRITABLE:
                raise StoreReadOnly(
                    f"{_shown(folder, error)}. Point TELLTALE_HOME at a folder that can be written."
                ) from error
            raise StoreError(f"{folder}: {error.strerror or error}") from error


def _exchange(fresh: Path, place: Path, aside: Path) -> None:
    """Put a folder in its place and what was there aside, though other processes may do the same at once."""
    for attempt in range(_ATTEMPTS):
        with suppress(FileNotFoundError):
            place.rename(aside / f"old {attempt}")
        try:
            fresh.rename(place)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or attempt == _ATTEMPTS - 1:
                raise
        else:
            return


def _shown(folder: Path, error: OSError) -> str:
    """Say which folder cannot be written, and why."""
    name, reason = str(folder), error.strerror
    if name.startswith(f"{os.devnull}/"):
        name, reason = name.removeprefix(f"{os.devnull}/"), "there is no such user"
    if len(name) > _LONGEST_SHOWN:
        name, reason = f"{name[:_LONGEST_SHOWN]}…", f"{reason}: {len(str(folder)):,} characters"
    return f"{name} cannot be written ({reason})"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _write_flushed(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
