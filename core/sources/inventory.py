"""Which files of a dataset are on this machine, and whether they are the pinned ones."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import DataCorrupt
from core.registry import part
from core.sources.location import located
from core.sources.reading import read
from core.sources.records import Pinned, Source

State = Literal["present", "missing", "verified", "corrupt"]


@dataclass(frozen=True)
class FileStatus:
    """One file of a dataset on this machine.

    Attributes:
        source: Folder of the source.
        file: Path below it.
        size: Pinned size in bytes.
        sha256: Pinned digest, of the tree for an archive.
        state: ``present`` (not yet verified), ``missing``, ``verified`` or ``corrupt``.
        path: Its path on this machine, or None when missing.
        problem: What is wrong with it, or an empty text.
    """

    source: str
    file: str
    size: int
    sha256: str
    state: State
    path: Path | None = None
    problem: str = ""


def status(dataset: str) -> tuple[FileStatus, ...]:
    """Return where a dataset's files lie, without reading them; empty when it has none.

    Raises:
        UnknownPart: No dataset has that name.
    """
    return tuple(_status(source, file) for source, file in _files(dataset))


def check(dataset: str) -> tuple[FileStatus, ...]:
    """Return the same as `status` after verifying every digest; nothing is downloaded, changed or removed.

    Raises:
        UnknownPart: No dataset has that name.
    """
    return tuple(_status(source, file, verify=True) for source, file in _files(dataset))


def fetch(dataset: str, progress: bool = True) -> tuple[FileStatus, ...]:
    """Download the missing files of a dataset, and verify all of them.

    Raises:
        UnknownPart: No dataset has that name.
        DataUnavailable: A file is neither on disk nor reachable.
        DataCorrupt: The bytes are not the pinned ones; a bad download is removed.
        StoreError: The cache cannot be written.
    """
    for source in _sources(dataset):
        read(source, progress=progress, dataset=dataset)
    return tuple(
        FileStatus(source.name, file.path, file.size, file.sha256, "verified", located(source, file))
        for source, file in _files(dataset)
    )


def _sources(dataset: str) -> tuple[Source, ...]:
    sources: tuple[Source, ...] = part("dataset", dataset)().sources()  # type: ignore[attr-defined]
    return sources


def _files(dataset: str) -> list[tuple[Source, Pinned]]:
    return [(source, file) for source in _sources(dataset) for file in source.files]


def _status(source: Source, file: Pinned, *, verify: bool = False) -> FileStatus:
    path = located(source, file)
    state: State = "missing" if path is None else "present"
    problem = ""
    if path is not None and verify:
        try:
            source.verified(file, path.read_bytes(), str(path))
            state = "verified"
        except (DataCorrupt, OSError) as error:
            state, problem = "corrupt", str(error)
    return FileStatus(source.name, file.path, file.size, file.sha256, state, path, problem)
