"""Stores results and the arrays of trainings by key: read-only results that ship with the code, and the user's own."""

import errno
import hashlib
import io
import json
import shutil
import tempfile
import time
import zipfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from core.errors import StoreError
from core.runtime.folders import home, is_file, write_flushed, write_whole, writing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHIPPED = Path(__file__).resolve().parents[2] / "precomputed"
READERS = SHIPPED / "readers"
"""Trained adversaries that come with the code, beside the results."""
DRAWINGS = "drawings"
"""Name of the folders that hold the drawings of results, in a folder for each result."""
MANIFEST = "manifest.json"
_DIGEST_BYTES = 32
_ATTEMPTS = 20
_STALE_SECONDS = 86_400.0


@dataclass(frozen=True)
class Store:
    """Results by key, and the arrays of each training (a shadow's features, a target model's vectors).

    Each file is written under a temporary name, flushed and renamed, so that it is whole or absent. Each is checked
    against its SHA-256 when read; one that fails is set aside under ``damaged/`` and counts as absent. Methods that
    write raise `StoreFull`, `StoreReadOnly` or another `StoreError`.

    Attributes:
        root: Folder that is written.
        shipped: Read-only folder of precomputed results, read first.
        run: Key of the run whose trainings are noted, so that they can be deleted with it; empty for none.
    """

    root: Path = field(default_factory=home)
    shipped: Path = SHIPPED
    run: str = ""

    def results(self) -> list[str]:
        """Return the keys of all stored results, precomputed ones included."""
        keys: set[str] = set()
        for base in self._bases():
            with suppress(OSError):
                keys |= {path.parent.name for path in base.glob(f"*/{MANIFEST}")}
        return sorted(keys)

    def is_shipped(self, key: str) -> bool:
        """Tell whether a result comes with the code."""
        return is_file(self.shipped / key / MANIFEST)

    def has_result(self, key: str) -> bool:
        """Tell whether a result is stored, intact or not."""
        return any(is_file(base / key / MANIFEST) for base in self._bases())

    def get_files(self, key: str) -> dict[str, bytes] | None:
        """Return the files of a result, or None when there is none or it is damaged.

        Raises:
            StoreError: It exists but cannot be opened.
        """
        return self._intact(*(base / key for base in self._bases()))

    def get_drawing(self, of: str, key: str) -> dict[str, bytes] | None:
        """Return the files of a drawing of a result, each by its key, or None when there is none or it is damaged.

        Raises:
            StoreError: It exists but cannot be opened.
        """
        return self._intact(*self.drawing_folders(of, key))

    def put_drawing(self, of: str, key: str, files: Mapping[str, bytes]) -> None:
        """Store the files of a drawing of a result, with which it is deleted."""
        self._put(self.root / DRAWINGS / of, self._temporary, key, files)

    def drawing_folders(self, of: str, key: str) -> tuple[Path, ...]:
        """Return where a drawing of a result lies if it comes with the code, and where if it is the user's own."""
        return tuple(base / DRAWINGS / of / key for base in (self.shipped, self.root))

    def put_files(self, key: str, files: Mapping[str, bytes]) -> None:
        """Store the files of a result at once, replacing what is there."""
        self._put(self.root / "results", self._temporary, key, files)

    def ship(self, key: str) -> None:
        """Copy one of the user's results, with its drawings, to those that come with the code.

        Raises:
            StoreError: There is no such result, or it cannot be written.
        """
        files = self._checked(self.root / "results" / key)
        if files is None:
            raise StoreError(f"No intact result {key} is in {self.root}.")
        for folder in (self.root / DRAWINGS / key).glob("*"):
            if (drawn := self._checked(folder)) is not None:
                self._put(self.shipped / DRAWINGS / key, self.shipped, folder.name, drawn)
        self._put(self.shipped, self.shipped, key, files)

    def _put(self, folder: Path, beside: Path, key: str, files: Mapping[str, bytes]) -> None:
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            beside.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=beside, prefix=".", ignore_cleanup_errors=True) as name:
                fresh = Path(name) / "fresh"
                fresh.mkdir()
                for filename, content in files.items():
                    write_flushed(fresh / filename, content)
                write_flushed(fresh / MANIFEST, json.dumps(digests, indent=1).encode())
                _exchange(fresh, folder / key, Path(name))

    def delete(self, key: str) -> None:
        """Remove one of the user's results, with its drawings and what they are drawn from; precomputed ones stay."""
        path = self.root / "results" / key
        shutil.rmtree(self.root / DRAWINGS / key, ignore_errors=True)
        self.delete_arrays(key)
        with writing(self.root):
            if not path.exists():
                return
            self._temporary.mkdir(parents=True, exist_ok=True)
            discarded = Path(tempfile.mkdtemp(dir=self._temporary))
            with suppress(FileNotFoundError):
                path.rename(discarded / key)
            shutil.rmtree(discarded, ignore_errors=True)

    def get_arrays(self, key: str, name: str) -> "dict[str, NDArray[np.generic]] | None":
        """Return the arrays of a training by the key of its stage, or None when they are absent or damaged.

        Raises:
            StoreError: Their file exists but cannot be opened.
        """
        import numpy as np

        path = self._arrays(key, name)
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

    def put_arrays(self, key: str, name: str, arrays: "Mapping[str, NDArray[np.generic]]") -> None:
        """Store the arrays of one training."""
        import numpy as np

        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        payload = buffer.getvalue()
        path = self._arrays(key, name)
        with writing(self.root):
            write_whole(path, hashlib.sha256(payload).digest() + payload, self._temporary)

    def array_names(self, key: str) -> set[str]:
        """Return the names of the trainings whose arrays are stored under a key."""
        try:
            return {path.stem for path in (self.root / "parts" / key).glob("*.npz")}
        except OSError:
            return set()

    def has_arrays(self, key: str, name: str) -> bool:
        """Tell whether the arrays of a training are stored, intact or not."""
        return is_file(self._arrays(key, name))

    def delete_arrays(self, key: str) -> None:
        """Remove all arrays stored under a key, once later ones replace them."""
        shutil.rmtree(self.root / "parts" / key, ignore_errors=True)

    def note_trainings(self, key: str) -> None:
        """Note that the run uses the trainings of a key."""
        if self.run:
            with writing(self.root):
                self._used.joinpath(self.run).mkdir(parents=True, exist_ok=True)
                self._used.joinpath(self.run, key).touch()

    def delete_trainings_of(self, runs: Collection[str]) -> None:
        """Remove the trainings that some runs used, and no other noted run."""
        used = {run_folder.name: {key.name for key in run_folder.glob("*")} for run_folder in self._used.glob("*")}
        kept_keys = set[str]().union(*(keys for run, keys in used.items() if run not in runs))
        for run in used.keys() & set(runs):
            for key in used[run] - kept_keys:
                self.delete_arrays(key)
            shutil.rmtree(self._used / run, ignore_errors=True)

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
        """Open a file for the working data of one process; closing it deletes it."""
        with writing(self.root):
            self.root.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryFile(dir=self.root, buffering=0)

    def check_writable(self) -> None:
        """Fail now rather than after an hour's work, and remove files that killed processes left half written."""
        with writing(self.root):
            self.root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.root) as probe:
                probe.write(b"\0" * 4096)
        for path in (*self._temporary.glob("*"), *(self.root / "claims").glob("*")):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _STALE_SECONDS:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _bases(self) -> tuple[Path, Path]:
        return self.shipped, self.root / "results"

    def _arrays(self, key: str, name: str) -> Path:
        return self.root / "parts" / key / f"{name}.npz"

    @property
    def _used(self) -> Path:
        return self.root / "used"

    @property
    def _temporary(self) -> Path:
        return self.root / "temporary"

    def _intact(self, *folders: Path) -> dict[str, bytes] | None:
        """Return the files of the first folder that is there and intact."""
        for folder in folders:
            if is_file(folder / MANIFEST) and (files := self._checked(folder)) is not None:
                return files
        return None

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
        if folder.is_relative_to(self.root) and not folder.is_relative_to(self.shipped):
            self._set_aside(folder)
        return None

    def _set_aside(self, path: Path) -> None:
        """Move a damaged file or folder out of the way where possible; moved or not, it counts as absent."""
        aside = self.root / "damaged"
        with suppress(OSError):
            aside.mkdir(parents=True, exist_ok=True)
            path.rename(Path(tempfile.mkdtemp(dir=aside)) / path.name)


def _exchange(fresh: Path, path: Path, aside: Path) -> None:
    """Move a fresh folder to a path and the old one aside, though other processes may do the same at once."""
    for attempt in range(_ATTEMPTS):
        with suppress(FileNotFoundError):
            path.rename(aside / f"old {attempt}")
        try:
            fresh.rename(path)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or attempt == _ATTEMPTS - 1:
                raise
        else:
            return
