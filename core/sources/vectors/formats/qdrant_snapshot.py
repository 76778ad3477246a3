"""A snapshot of a Qdrant server, read by Qdrant's own engine, which is imported only when one is opened.

A snapshot is a tar archive of what the server keeps: for each shard, segments in the engine's own storage. It is
unpacked to a temporary folder, because the engine writes into what it opens.
"""

import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from core.errors import InvalidVectors
from core.sources.vectors.stored import ROWS_AT_ONCE, Columns, Rows, Stored, Streamed, of_points

NAME = "a snapshot of a Qdrant server"
_ENDING = ".snapshot"
_SEGMENTS, _CONFIG = "segments", "config.json"
_LARGEST_CONFIG = 1_000_000


def recognises(path: Path) -> bool:
    """Tell by the name, and by an archive that holds segments or whole collections."""
    return path.is_file() and path.suffix == _ENDING and tarfile.is_tarfile(path)


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of the collection or shard of which the snapshot is.

    Raises:
        InvalidVectors: The engine is not installed, or it is a snapshot of something else.
    """
    shards = _shards(path)
    if not shards:
        raise InvalidVectors(
            f"{path.name} holds no segments of a collection. Name the snapshot of one collection; that of a whole "
            f"server is an archive of these: unpack it with tar, and name one of its {_ENDING} files."
        )
    try:
        import qdrant_edge  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise InvalidVectors(
            f"{path.name} is {NAME}, whose segments only Qdrant's own engine reads. To read it: pip install "
            "qdrant-edge-py. Or export the collection by the client, scroll(with_vectors=True), to JSON lines."
        ) from None
    return _Collection(path, columns, shards, qdrant_edge)


class _Collection(Streamed):
    def __init__(self, path: Path, columns: Columns, shards: Mapping[str, list[str]], engine: Any) -> None:
        self._path, self._columns, self._shards, self._engine = path, columns, shards, engine
        self.described = "float32, Qdrant snapshot"
        self.metric = _metric(path)

    @cached_property
    def _opened(self) -> tuple[TemporaryDirectory[str], list[Any]]:
        """The temporary folder, deleted with this store, and the shards in it."""
        folder = TemporaryDirectory(prefix="telltale-", ignore_cleanup_errors=True)
        shards = []
        with _refusing(self._path), tarfile.open(self._path) as archive:
            for number, (prefix, names) in enumerate(self._shards.items()):
                alone = Path(folder.name) / f"{number}{_ENDING}"
                with tarfile.open(alone, "w") as shard:
                    for name in names:
                        member = archive.getmember(name)
                        content = archive.extractfile(member)
                        member.name = str(_relative(name, prefix))
                        shard.addfile(member, content)
                unpacked = Path(folder.name) / str(number)
                self._engine.EdgeShard.unpack_snapshot(str(alone), str(unpacked))
                alone.unlink()
                shards.append(self._engine.EdgeShard.load(str(unpacked)))
        return folder, shards

    @cached_property
    def count(self) -> int:
        with _refusing(self._path):
            return sum(int(shard.count(self._engine.CountRequest(exact=True))) for shard in self._opened[1])

    def pieces(self) -> Iterator[Rows]:
        """Yield the points, shard by shard, in the order of their ids."""
        groups = ([(point.id, point.vector, dict(point.payload or {})) for point in some] for some in self._points())
        return of_points(groups, self._columns, self._path.name)

    def _points(self) -> Iterator[list[Any]]:
        for shard in self._opened[1]:
            offset = None
            while True:
                request = self._engine.ScrollRequest(
                    limit=ROWS_AT_ONCE, offset=offset, with_vector=True, with_payload=True
                )
                with _refusing(self._path):
                    points, offset = shard.scroll(request)
                if points:
                    yield points
                if offset is None:
                    break


def _shards(path: Path) -> dict[str, list[str]]:
    """Return the names of the regular files of each shard, by the folder that it lies in."""
    with _refusing(path), tarfile.open(path) as archive:
        names = [member.name for member in archive if member.isfile()]
    folders = {match.group(1) or "" for name in names if (match := _SEGMENT.match(name))}
    return {
        folder: [name for name in names if _relative(name, folder) is not None] for folder in sorted(folders, key=_key)
    }


_SEGMENT = re.compile(rf"(?:\./)?(?:(\d+)/)?{_SEGMENTS}/")


def _key(folder: str) -> int:
    return int(folder or 0)


def _relative(name: str, folder: str) -> PurePosixPath | None:
    """Return the path of a member within a shard; None for one of another, or one that leaves it."""
    parts = PurePosixPath(name).parts
    if ".." in parts or PurePosixPath(name).is_absolute():
        return None
    if folder:
        return PurePosixPath(*parts[1:]) if parts[0] == folder and len(parts) > 1 else None
    return PurePosixPath(*parts)


def _metric(path: Path) -> str:
    """Return how the collection compares its vectors; empty where the archive does not say."""
    with tarfile.open(path) as archive:
        for member in archive:
            if str(PurePosixPath(member.name)) == _CONFIG and member.isfile() and member.size <= _LARGEST_CONFIG:
                content = archive.extractfile(member)
                try:
                    vectors = json.loads(content.read() if content else b"")["params"]["vectors"]
                    return str(vectors.get("distance", "")).lower()
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    return ""
    return ""


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Turn whatever archive and engine raise into one error, panics of Rust included."""
    try:
        yield
    except (InvalidVectors, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        line = str(error).strip().partition("\n")[0][:160]
        raise InvalidVectors(f"{path.name} cannot be read as {NAME}: {line or type(error).__name__}.") from None
