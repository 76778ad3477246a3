"""Reads the files of a source, verified, and downloads those that are nowhere on this machine."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.errors import DataCorrupt, DataUnavailable
from core.runtime.folders import home, is_file, locked, writing
from core.sources import location
from core.sources.downloads import download
from core.sources.records import DOWNLOAD, Bundled, Pinned, Source


def read(source: Source, *, progress: bool | None = None, dataset: str = "") -> dict[str, bytes]:
    """Return a source's verified files by path, downloading those that are nowhere on this machine.

    Args:
        source: What to read.
        progress: Whether a bar is drawn on standard error; None draws one on a terminal only.
        dataset: Name of the dataset in messages; the name of the source when empty.

    Raises:
        DataUnavailable: A file is neither on disk nor reachable.
        DataCorrupt: The bytes are not the pinned ones; a bad download is removed.
        StoreError: The cache cannot be written.
    """
    content: dict[str, bytes] = {}
    for file in source.files:
        content |= _Reading(source, file, dataset or source.name, progress).read()
    return content


@dataclass(frozen=True)
class _Reading:
    """One file of a source, read for a dataset."""

    source: Source
    file: Pinned
    dataset: str
    progress: bool | None

    @property
    def _cached(self) -> Path:
        return location.cached(self.source, self.file)

    def read(self) -> dict[str, bytes]:
        if provided := location.provided(self.source, self.file):
            return self._verified(provided)
        if isinstance(self.source, Bundled):
            package = self.source.package
            raise DataUnavailable(
                f"The dataset {self.dataset!r} comes with the package {package!r}, which is not installed or holds no "
                f"{self.source.folder}/{self.file.path}. Reinstall it: pip install --force-reinstall {package}"
            )
        if is_file(self._cached):
            try:
                return self._verified(self._cached)
            except DataCorrupt as corrupt:
                with writing(self._cached.parent):
                    self._cached.unlink(missing_ok=True)
                try:
                    return self._fetch()
                except DataUnavailable as error:
                    raise DataCorrupt(f"{corrupt} It was removed, but not replaced: {error}") from None
        return self._fetch()

    def _fetch(self) -> dict[str, bytes]:
        with locked(self.source.name, home()):
            return self._verified(self._cached) if is_file(self._cached) else self._download()

    def _download(self) -> dict[str, bytes]:
        source, file, cached = self.source, self.file, self._cached
        partial = cached.with_name(cached.name + ".part")
        with writing(cached.parent):
            cached.parent.mkdir(parents=True, exist_ok=True)
            resumed = partial.is_file() and partial.stat().st_size > 0
            label = f"{source.name}/{PurePosixPath(file.path).name}"
            limit = source.limit(file)
            address = source.address(file)
            failure = download(address, partial, size=file.size, limit=limit, label=label, progress=self.progress)
        if failure:
            folder_problem = f" {reason}" if (reason := location.problem()) else ""
            raise DataUnavailable(
                f"The dataset {self.dataset!r} is not on this machine, and {file.path} of {source.origin} could not be "
                f"downloaded ({failure}). With a network: python -m core data fetch {self.dataset}. Without: put the "
                f"file at {source.name}/{file.path} in a folder and name that folder in TELLTALE_DATA.{folder_problem}"
            )
        try:
            content = self._verified(partial, DOWNLOAD)
        except DataCorrupt:
            partial.unlink(missing_ok=True)
            if not resumed:
                raise
            # The fault may lie in what an earlier download had left.
            return self._download()
        with writing(cached.parent):
            partial.replace(cached)
        return content

    def _verified(self, path: Path, where: str = "") -> dict[str, bytes]:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise DataUnavailable(f"{path} cannot be read: {error.strerror}.") from None
        return self.source.verified(self.file, content, where or str(path))
