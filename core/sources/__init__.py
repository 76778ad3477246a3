"""Pinned files: found in a folder, a package, the user's cache or on the network, and never used unverified."""

import gzip
import hashlib
import io
import os
import tarfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import quote

from core.errors import DataCorrupt, DataUnavailable
from core.sources.downloads import download, storing

State = Literal["present", "missing", "verified", "corrupt"]

_ARCHIVE_SLACK = 4
"""A generated archive may change its size; one this many times the size seen is not it."""
_LONGEST_SHOWN = 120
_TREE_LIMIT = 1 << 29
"""Bytes an archive may hold when unpacked."""


@dataclass(frozen=True)
class Pinned:
    """One file: where it lies below its source, its size in bytes and its SHA-256."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Source(ABC):
    """Files that a dataset is read from.

    Attributes:
        name: Folder of the source, in ``TELLTALE_DATA``, in the cache and on a mirror.
        url: What a file's path is appended to; empty when the files come with a package.
        origin: Where the files come from, in words.
    """

    name: str
    url: str
    origin: str

    @property
    @abstractmethod
    def files(self) -> tuple[Pinned, ...]:
        """The files on disk."""

    @property
    def pin(self) -> str:
        """SHA-256 that changes when any pinned byte does."""
        lines = "".join(f"{file.sha256}  {file.path}\n" for file in self.files)
        return hashlib.sha256(lines.encode()).hexdigest()

    def address(self, file: Pinned) -> str:
        """Return where a file is downloaded from; ``TELLTALE_MIRROR`` takes the place of the pinned address."""
        if mirror := os.environ.get("TELLTALE_MIRROR"):
            return f"{mirror.rstrip('/')}/{quote(self.name)}/{quote(file.path)}"
        return self.url + quote(file.path)

    def limit(self, file: Pinned) -> int:
        """Return the most bytes a download of the file may have."""
        return file.size

    def verified(self, file: Pinned, content: bytes, where: str) -> dict[str, bytes]:
        """Return what a file contributes, by path.

        Raises:
            DataCorrupt: The bytes are not the pinned ones.
        """
        found = hashlib.sha256(content).hexdigest()
        if found != file.sha256:
            short = f" It has {len(content):,} bytes instead of {file.size:,}." if len(content) != file.size else ""
            raise _corrupt(f"{self.name}/{file.path}", where, file.sha256, found, short)
        return {file.path: content}


@dataclass(frozen=True)
class Files(Source):
    """Files that are pinned one by one.

    Attributes:
        pinned: The files.
    """

    pinned: tuple[Pinned, ...]

    @property
    def files(self) -> tuple[Pinned, ...]:
        """The pinned files."""
        return self.pinned


@dataclass(frozen=True)
class Bundled(Files):
    """Files that come inside an installed package, which is found without being imported.

    Attributes:
        package: Name of the package.
        folder: Where the files lie inside it.
    """

    package: str = ""
    folder: str = ""


@dataclass(frozen=True)
class Archive(Source):
    r"""A tar archive whose content is pinned, because its own bytes may be generated anew with each download.

    Attributes:
        file: Name of the archive.
        size: Its size in bytes when it was pinned.
        roots: Folders that count, below the archive's single top folder.
        tree_files: How many files lie below them.
        tree_sha256: SHA-256 of the lines ``"<sha256 of file>  <path>\n"`` for these files, sorted by path.
    """

    file: str
    size: int
    roots: tuple[str, ...]
    tree_files: int
    tree_sha256: str

    @property
    def files(self) -> tuple[Pinned, ...]:
        """The archive, with the digest of its tree in place of its own."""
        return (Pinned(self.file, self.size, self.tree_sha256),)

    def address(self, file: Pinned) -> str:
        """Return where the archive is downloaded from."""
        return super().address(file) if os.environ.get("TELLTALE_MIRROR") else self.url

    def limit(self, file: Pinned) -> int:
        """Return the most bytes a download of the archive may have."""
        return _ARCHIVE_SLACK * file.size + (1 << 20)

    def verified(self, file: Pinned, content: bytes, where: str) -> dict[str, bytes]:
        """Return the files below the roots, by path; nothing is unpacked to disk.

        Raises:
            DataCorrupt: The archive cannot be read, names a path outside itself, or holds another tree.
        """
        name = f"{self.name}/{file.path}"
        try:
            tree = dict(_members(content, self.roots))
        except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError) as error:
            reason = f" The archive cannot be read: {error}."
            raise _corrupt(name, where, self.tree_sha256, "none", reason) from None
        found = tree_digest(tree)
        if found != self.tree_sha256:
            reason = f" It holds {len(tree):,} files; {self.tree_files:,} are pinned."
            raise _corrupt(name, where, self.tree_sha256, found, reason)
        return tree


@dataclass(frozen=True)
class FileStatus:
    """One file of a dataset on this machine.

    Attributes:
        source: Folder of the source.
        file: Path below it.
        size: Pinned size in bytes.
        sha256: Pinned digest, of the tree for an archive.
        state: ``present`` (not yet verified), ``missing``, ``verified`` or ``corrupt``.
        path: Where it lies, or None when missing.
        problem: What is wrong with it; empty when nothing is.
    """

    source: str
    file: str
    size: int
    sha256: str
    state: State
    path: Path | None = None
    problem: str = ""


def status(dataset: str) -> tuple[FileStatus, ...]:
    """Return where a dataset's files lie, without reading them; empty when it needs none.

    Raises:
        UnknownPart: No dataset has that name.
    """
    return tuple(_status(source, file, verify=False) for source in _sources(dataset) for file in source.files)


def check(dataset: str) -> tuple[FileStatus, ...]:
    """Return the same as `status` after verifying every digest; nothing is downloaded, changed or removed.

    Raises:
        UnknownPart: No dataset has that name.
    """
    return tuple(_status(source, file, verify=True) for source in _sources(dataset) for file in source.files)


def fetch(dataset: str, progress: bool = True) -> tuple[FileStatus, ...]:
    """Download what is missing of a dataset and verify all of it.

    Args:
        dataset: Name of the dataset.
        progress: Whether a bar is drawn on standard error.

    Raises:
        UnknownPart: No dataset has that name.
        DataUnavailable: A file is neither on disk nor reachable.
        DataCorrupt: The bytes found are not the pinned ones; a bad download is removed.
        StoreReadOnly: The cache folder cannot be written.
        StoreFull: No space is left for the cache.
    """
    for source in _sources(dataset):
        read(source, progress=progress, dataset=dataset)
    return tuple(
        FileStatus(source.name, file.path, file.size, file.sha256, "verified", _find(source, file))
        for source in _sources(dataset)
        for file in source.files
    )


def read(source: Source, *, progress: bool | None = None, dataset: str = "") -> dict[str, bytes]:
    """Return a source's verified files by path, downloading those that are nowhere on this machine.

    Args:
        source: What to read.
        progress: Whether a bar is drawn on standard error; None draws one on a terminal only.
        dataset: Name that messages use; the source's own when empty.

    Raises:
        DataUnavailable: A file is neither on disk nor reachable.
        DataCorrupt: The bytes found are not the pinned ones.
        StoreReadOnly: The cache folder cannot be written.
        StoreFull: No space is left for the cache.
    """
    content: dict[str, bytes] = {}
    for file in source.files:
        content |= _read(source, file, progress, dataset or source.name)
    return content


def tree_digest(tree: Mapping[str, bytes]) -> str:
    r"""Return the SHA-256 of the lines ``"<sha256 of file>  <path>\n"``, sorted by path.

    >>> tree_digest({"b": b"2", "a": b"1"}) == tree_digest({"a": b"1", "b": b"2"})
    True
    """
    lines = "".join(f"{hashlib.sha256(tree[path]).hexdigest()}  {path}\n" for path in sorted(tree))
    return hashlib.sha256(lines.encode()).hexdigest()


def _sources(dataset: str) -> tuple[Source, ...]:
    from core.registry import part

    found: tuple[Source, ...] = part("dataset", dataset)().sources()  # type: ignore[attr-defined]
    return found


def _cache() -> Path:
    from core.runtime.folders import home

    return home() / "data"


def _given(source: Source, file: Pinned) -> Path | None:
    """Return the file in the folder or the package that is looked at before the cache; it is never written to."""
    if isinstance(source, Bundled):
        spec = find_spec(source.package)
        folders = spec.submodule_search_locations if spec else None
        candidates = [Path(folder) / source.folder / file.path for folder in folders or ()]
    else:
        from core.runtime.folders import folder_named

        folder = os.environ.get("TELLTALE_DATA")
        candidates = [folder_named(folder) / source.name / file.path] if folder else []
    return next((path for path in candidates if _is_file(path)), None)


def _find(source: Source, file: Pinned) -> Path | None:
    cached = _cache() / source.name / file.path
    return _given(source, file) or (cached if _is_file(cached) else None)


def _status(source: Source, file: Pinned, *, verify: bool) -> FileStatus:
    path = _find(source, file)
    state: State = "missing" if path is None else "present"
    problem = ""
    if path is not None and verify:
        try:
            source.verified(file, path.read_bytes(), str(path))
            state = "verified"
        except (DataCorrupt, OSError) as error:
            state, problem = "corrupt", str(error)
    return FileStatus(source.name, file.path, file.size, file.sha256, state, path, problem)


def _read(source: Source, file: Pinned, progress: bool | None, dataset: str) -> dict[str, bytes]:
    if given := _given(source, file):
        return source.verified(file, _content(given), str(given))
    if isinstance(source, Bundled):
        raise DataUnavailable(
            f"The dataset {dataset!r} comes with the package {source.package!r}, which is not installed or holds no "
            f"{source.folder}/{file.path}. Reinstall it: pip install --force-reinstall {source.package}"
        )
    cached = _cache() / source.name / file.path
    if _is_file(cached):
        try:
            return source.verified(file, _content(cached), str(cached))
        except DataCorrupt as corrupt:
            with storing(cached):
                cached.unlink(missing_ok=True)
            try:
                return _fetched(source, file, cached, progress, dataset)
            except DataUnavailable as error:
                raise DataCorrupt(f"{corrupt} It was removed, but not replaced: {error}") from None
    return _fetched(source, file, cached, progress, dataset)


def _fetched(source: Source, file: Pinned, cached: Path, progress: bool | None, dataset: str) -> dict[str, bytes]:
    with _locked(source):
        if _is_file(cached):
            return source.verified(file, _content(cached), str(cached))
        return _download(source, file, cached, progress, dataset)


def problem() -> str:
    """Say what is wrong with the folder of datasets that ``TELLTALE_DATA`` names; empty where nothing is."""
    from core.runtime.folders import folder_named

    folder = os.environ.get("TELLTALE_DATA")
    if not folder:
        return ""
    try:
        next(folder_named(folder).iterdir(), None)
    except OSError as error:
        shown = folder if len(folder) <= _LONGEST_SHOWN else f"{folder[:_LONGEST_SHOWN]}…"
        return (
            f"TELLTALE_DATA names {shown!r}, which is no folder that can be read ({error.strerror}). Correct it, or "
            "remove it: datasets are then downloaded."
        )
    return ""


def _missing_folder() -> str:
    return f" {found}" if (found := problem()) else ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataUnavailable(f"{path} cannot be read: {error.strerror}.") from None


def _download(source: Source, file: Pinned, cached: Path, progress: bool | None, dataset: str) -> dict[str, bytes]:
    part = cached.with_name(cached.name + ".part")
    with storing(cached):
        cached.parent.mkdir(parents=True, exist_ok=True)
        resumed = part.is_file() and part.stat().st_size > 0
        label = f"{source.name}/{PurePosixPath(file.path).name}"
        problem = download(
            source.address(file), part, size=file.size, limit=source.limit(file), label=label, progress=progress
        )
    if problem:
        raise DataUnavailable(
            f"The dataset {dataset!r} is not on this machine, and {file.path} of {source.origin} could not be "
            f"downloaded ({problem}). With a network: python -m core data fetch {dataset}. Without: put the file at "
            f"{source.name}/{file.path} in a folder and name that folder in TELLTALE_DATA.{_missing_folder()}"
        )
    try:
        content = source.verified(file, _content(part), "the download")
    except DataCorrupt:
        part.unlink(missing_ok=True)
        if not resumed:
            raise
        # What an earlier download had left may have been what was wrong.
        return _download(source, file, cached, progress, dataset)
    with storing(cached):
        part.replace(cached)
    return content


@contextmanager
def _locked(source: Source) -> Iterator[None]:
    """Let one process at a time download a source; the others wait for its file."""
    from filelock import FileLock

    locks = _cache().parent / "locks"
    with storing(locks):
        locks.mkdir(parents=True, exist_ok=True)
        lock = FileLock(locks / f"{source.name}.lock")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _corrupt(name: str, where: str, expected: str, found: str, reason: str) -> DataCorrupt:
    download = where == "the download"
    advice = (
        "The download was removed; try again, or ask whoever runs the mirror."
        if download
        else "Replace the file, or remove it so that it is downloaded again: see python -m core data check."
    )
    place = "as downloaded" if download else f"at {where}"
    return DataCorrupt(
        f"{name} ({place}) is not the pinned file.{reason} Expected SHA-256 {expected}, found {found}. {advice}"
    )


def _members(archive: bytes, roots: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield the regular files below the roots, by their path below the archive's single top folder.

    Raises:
        ValueError: A path leads outside, an entry below a root is a link, or the content is too large.
    """
    with gzip.GzipFile(fileobj=io.BytesIO(archive)) as stream:
        unpacked = stream.read(_TREE_LIMIT + 1)
    if len(unpacked) > _TREE_LIMIT:
        raise ValueError(f"it unpacks to more than {_TREE_LIMIT:,} bytes")
    with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as tar:
        for entry in tar:
            parts = entry.name.split("/")
            if not parts[0] or ".." in parts:
                raise ValueError(f"the path {entry.name!r} leads outside")
            inner = parts[1:]
            if not inner or inner[0] not in roots or entry.isdir():
                continue
            if entry.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
                raise ValueError(f"{entry.name!r} is a link or a device")
            yield "/".join(inner), unpacked[entry.offset_data : entry.offset_data + entry.size]
