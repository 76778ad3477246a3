"""Tar archives that are pinned by their content; nothing is unpacked to disk."""

import gzip
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from core.sources.records import Pinned, Source, corrupt, tree_digest

_SLACK = 4
"""A regenerated archive may change its size; one this many times larger than pinned is another file."""
_LIMIT = 1 << 29
"""Bytes an archive may hold when unpacked."""


@dataclass(frozen=True)
class Archive(Source):
    r"""A tar archive whose content is pinned, because each download may be generated anew with other bytes.

    Attributes:
        file: Name of the archive.
        size: Its size in bytes when it was pinned.
        roots: Folders that count, below the archive's single top folder.
        tree_files: Number of files below them.
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
        """Return the largest accepted size of a download of the archive, in bytes."""
        return _SLACK * file.size + (1 << 20)

    def verified(self, file: Pinned, content: bytes, where: str) -> dict[str, bytes]:
        """Return the files below the roots, by path.

        Raises:
            DataCorrupt: The archive cannot be read, names a path outside itself, or holds another tree.
        """
        name = f"{self.name}/{file.path}"
        try:
            tree = dict(_members(content, self.roots))
        except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError) as error:
            reason = f" The archive cannot be read: {error}."
            raise corrupt(name, where, self.tree_sha256, "none", reason) from None
        digest = tree_digest(tree)
        if digest != self.tree_sha256:
            reason = f" It holds {len(tree):,} files; {self.tree_files:,} are pinned."
            raise corrupt(name, where, self.tree_sha256, digest, reason)
        return tree


def _members(archive: bytes, roots: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield the regular files below the roots, by their path below the archive's single top folder."""
    with gzip.GzipFile(fileobj=io.BytesIO(archive)) as stream:
        unpacked = stream.read(_LIMIT + 1)
    if len(unpacked) > _LIMIT:
        raise ValueError(f"it unpacks to more than {_LIMIT:,} bytes")
    with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as tar:
        for entry in tar:
            top, *inner = entry.name.split("/")
            if not top or ".." in (top, *inner):
                raise ValueError(f"the path {entry.name!r} leads outside")
            if not inner or inner[0] not in roots or entry.isdir():
                continue
            if entry.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
                raise ValueError(f"{entry.name!r} is a link or a device")
            yield "/".join(inner), unpacked[entry.offset_data : entry.offset_data + entry.size]
