"""Records of pinned files: what a source is called, where its files come from, and their digests."""

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from core.errors import DataCorrupt

DOWNLOAD = "the download"
"""Names a file that was just downloaded, in place of a path."""


@dataclass(frozen=True)
class Pinned:
    """One file: its path below its source, its size in bytes and its SHA-256."""

    path: str
    size: int
    sha256: str


def pins(*texts: str) -> tuple[Pinned, ...]:
    """Return the files of a table: SHA-256, size in bytes and path of each, separated by white space.

    Args:
        texts: The table; before it, the folder of all paths if there is one.

    >>> pins("data/", "ab12 1_024 words.txt")
    (Pinned(path='data/words.txt', size=1024, sha256='ab12'),)
    """
    *folder, table = texts
    fields = iter(table.split())
    return tuple(
        Pinned("".join([*folder, path]), int(size), sha256)
        for sha256, size, path in zip(fields, fields, fields, strict=True)
    )


@dataclass(frozen=True)
class Source(ABC):
    """Files that a dataset is read from.

    Attributes:
        name: Folder of the source, in ``TELLTALE_DATA``, in the cache and on a mirror.
        url: Prefix of every file's path; empty when the files come with a package.
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
        return _digest_of_lines({file.path: file.sha256 for file in self.files})

    def address(self, file: Pinned) -> str:
        """Return where a file is downloaded from; ``TELLTALE_MIRROR`` replaces the pinned address."""
        if mirror := os.environ.get("TELLTALE_MIRROR"):
            return f"{mirror.rstrip('/')}/{quote(self.name)}/{quote(file.path)}"
        return self.url + quote(file.path)

    def limit(self, file: Pinned) -> int:
        """Return the largest accepted size of a download of the file, in bytes."""
        return file.size

    def verified(self, file: Pinned, content: bytes, where: str) -> dict[str, bytes]:
        """Return the contents of a file, by path.

        Args:
            file: The record of the file.
            content: Its bytes.
            where: Its path, or `DOWNLOAD`.

        Raises:
            DataCorrupt: The bytes are not the pinned ones.
        """
        digest = hashlib.sha256(content).hexdigest()
        if digest != file.sha256:
            size = f" It has {len(content):,} bytes instead of {file.size:,}." if len(content) != file.size else ""
            raise corrupt(f"{self.name}/{file.path}", where, file.sha256, digest, size)
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
    """Files that come inside an installed package, which is located without being imported.

    Attributes:
        package: Name of the package.
        folder: Their folder inside it.
    """

    package: str = ""
    folder: str = ""


def on_github(name: str, commit: str, *texts: str) -> Files:
    """Return files of a GitHub repository at a commit, ``owner/name@commit``; texts are those of `pins`."""
    repository, _, revision = commit.partition("@")
    url = f"https://raw.githubusercontent.com/{repository}/{revision}/"
    return Files(name, url, f"the GitHub repository {repository}", pins(*texts))


def tree_digest(tree: Mapping[str, bytes]) -> str:
    r"""Return the SHA-256 of the lines ``"<sha256 of file>  <path>\n"``, sorted by path.

    >>> tree_digest({"b": b"2", "a": b"1"}) == tree_digest({"a": b"1", "b": b"2"})
    True
    """
    return _digest_of_lines({path: hashlib.sha256(tree[path]).hexdigest() for path in sorted(tree)})


def corrupt(name: str, where: str, expected: str, digest: str, reason: str) -> DataCorrupt:
    """Return the error for a file that is not the pinned one.

    Args:
        name: What the message calls the file.
        where: Its path, or `DOWNLOAD`.
        expected: The pinned digest.
        digest: The digest of its bytes.
        reason: A sentence on what differs, after a space, or an empty text.
    """
    if where == DOWNLOAD:
        location, advice = "as downloaded", "The download was removed; try again, or ask whoever runs the mirror."
    else:
        location = f"at {where}"
        advice = "Replace the file, or remove it so that it is downloaded again: see python -m core data check."
    return DataCorrupt(
        f"{name} ({location}) is not the pinned file.{reason} Expected SHA-256 {expected}, found {digest}. {advice}"
    )


def _digest_of_lines(digests: Mapping[str, str]) -> str:
    lines = "".join(f"{digest}  {path}\n" for path, digest in digests.items())
    return hashlib.sha256(lines.encode()).hexdigest()
