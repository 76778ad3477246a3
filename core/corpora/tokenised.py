"""Tokenised corpora under the user's folder: written once for the content of their files, and checked when opened."""

import json
import platform
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.corpora.joining import MANIFEST, NAMES, OWNERS, digest_of, join, manifest_of
from core.corpora.source import LONGEST, PIECE, Piece, Source
from core.corpora.tokenising import Shard, shard_path, tokenise
from core.errors import DataCorrupt, InvalidDocuments
from core.keys import key_of
from core.runtime.engine import Engine
from core.runtime.folders import home, is_file, locked, writing
from core.runtime.progress import Progress
from core.text.stored_corpus import StoredTokens

_VERSION = 3


@dataclass(frozen=True)
class TokenisedCorpus(StoredTokens):
    """The tokenised documents of a source, with what is known of them.

    A process on another machine finds them below its own folder, by the same name, where it does not see this one.
    """

    _unchecked: ClassVar[bool] = False

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Numbers of documents, tokens, words and documents passed over; the SHA-256 of each file."""
        return manifest_of(self.folder)

    @property
    def documents(self) -> int:
        """Number of documents with words."""
        return int(self.manifest["documents"])

    @property
    def passed_over(self) -> dict[str, int]:
        """Number of documents passed over, by reason."""
        return dict(self.manifest["passed_over"])

    def __getstate__(self) -> dict[str, Any]:
        """Return the folder, and the machine where it was compared with its digests; none while it was not."""
        return {"folder": self.folder, "machine": "" if self._unchecked else platform.node()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what another process sent; what another machine checked is checked here when it is first read.

        Nothing is raised before: a Dask worker that cannot take what it is sent leaves the cluster.
        """
        folder: Path = state["folder"]
        unchecked = state["machine"] != platform.node()
        if not folder.is_dir():
            folder, unchecked = _folder(folder.name), True
        self.__dict__.update(folder=folder, _unchecked=unchecked)

    def _present(self, name: str) -> Path:
        path = super()._present(name)
        if self._unchecked and not _is_undamaged(self.folder):
            raise DataCorrupt(f"The corpus {self.folder} on the machine {platform.node()} is damaged. Copy it again.")
        return path

    @cached_property
    def owners(self) -> NDArray[np.int32]:
        """(documents,) owner of each document, an index into the names; empty without owners."""
        return self._mapped(OWNERS, np.int32)

    @cached_property
    def names(self) -> list[str]:
        """Names of the owners."""
        return list(json.loads(self._present(NAMES).read_bytes()))


def tokenised(source: Source, engine: Engine, progress: Progress) -> TokenisedCorpus:
    """Return the tokenised corpus of a source; it is made where it is missing or damaged.

    Pieces of the source are tokenised in processes of this machine, each into a file. A killed call leaves these, and
    the next one goes on from there, to the same bytes. Processes that need the same corpus wait for one of them.

    Raises:
        InvalidDocuments: The files cannot be read as documents, or change meanwhile.
        StoreError: The corpus cannot be written.
    """
    digest = source.digest()
    key = _key(source, digest)
    folder = _folder(key)
    with locked(f"corpus-{key}", home()):
        if not _intact(folder):
            _make(source, digest, folder, Engine(workers=engine.workers, memory=engine.memory), progress)
            if not _intact(folder):
                raise DataCorrupt(f"{folder} does not hold what was written there. Check the disk.")
        shutil.rmtree(_shards(folder), ignore_errors=True)
    return TokenisedCorpus(folder)


def discard(source: Source) -> None:
    """Remove the tokenised corpus of a source, if there is one; a run that needs it makes it again.

    Raises:
        StoreError: It cannot be removed.
    """
    try:
        key = _key(source, source.digest())
    except (InvalidDocuments, OSError):
        return
    with locked(f"corpus-{key}", home()):
        shutil.rmtree(_folder(key), ignore_errors=True)
        shutil.rmtree(_shards(_folder(key)), ignore_errors=True)


def _key(source: Source, digest: str) -> str:
    return key_of(
        {
            "corpus": _VERSION,
            "content": digest,
            "nested": source.is_nested(),
            "text": source.text_column,
            "owner": source.owner_column,
            "longest": LONGEST,
            "piece": PIECE,
        }
    )


def _folder(key: str) -> Path:
    return home() / "corpora" / key


def _intact(folder: Path) -> bool:
    """Tell whether a corpus is there; one that fails its digests is set aside, and counts as absent."""
    if not folder.exists():
        return False
    if _is_undamaged(folder):
        return True
    _verified.cache_clear()
    with writing(folder.parent):
        folder.rename(tempfile.mkdtemp(dir=folder.parent, prefix=f"{folder.name}.damaged."))
    return False


def _is_undamaged(folder: Path) -> bool:
    manifest = folder / MANIFEST
    return is_file(manifest) and _verified(folder, manifest.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _verified(folder: Path, written_at: int) -> bool:
    """Compare the files of a corpus with their digests, once in a process and for each time it was written."""
    try:
        return all(digest_of(folder / name) == digest for name, digest in manifest_of(folder)["files"].items())
    except (OSError, DataCorrupt):
        return False


def _make(source: Source, digest: str, folder: Path, engine: Engine, progress: Progress) -> None:
    shards = _shards(folder)
    progress.stage("Tokenising the documents")
    with writing(folder.parent):
        shards.mkdir(parents=True, exist_ok=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        numbers: list[int] = []
        for _ in engine.map(tokenise, _missing(source, shards, numbers, progress), {"folder": shards}):
            progress.advance()
        progress.stage("Joining the vocabularies")
        joined = shards / "joined"
        shutil.rmtree(joined, ignore_errors=True)
        joined.mkdir()
        join([shard_path(shards, number) for number in numbers], joined)
        if source.digest() != digest:
            shutil.rmtree(shards)
            raise InvalidDocuments(f"{source.path.name} changed while it was read. Try again when it is complete.")
        joined.rename(folder)


def _shards(folder: Path) -> Path:
    """Return where the pieces of a corpus lie until they are joined."""
    return home() / "temporary" / f"corpus-{folder.name}"


def _missing(source: Source, shards: Path, numbers: list[int], progress: Progress) -> Iterator[Piece]:
    """Yield the pieces that are not tokenised yet, and note the number of every piece."""
    for piece in source.pieces():
        numbers.append(piece.number)
        if Shard.load(shard_path(shards, piece.number)) is None:
            yield piece
        else:
            progress.advance()
