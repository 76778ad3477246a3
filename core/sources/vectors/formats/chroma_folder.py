"""A Chroma folder: texts, ids and metadata from its SQLite file, vectors from its HNSW files and its queue.

Chroma is not needed, and the folder is only read. Vectors are in ``data_level0.bin`` of the collection's segment, which
is mapped into memory; the newest ones still wait in the table ``embeddings_queue``. The ids of the former stand in a
pickle, which is read as data (`core.sources.vectors.inert`).
"""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors import inert
from core.sources.vectors.stored import Columns, Gathered, Stored

NAME = "a Chroma folder"
_FILE = "chroma.sqlite3"
_DOCUMENT = "chroma:document"
_DELETED = 3
_QUERIED_AT_ONCE = 500


def recognises(path: Path) -> bool:
    """Tell by the SQLite file, or by what Chroma kept before it had one."""
    return (path / _FILE).is_file() or (path / "chroma-collections.parquet").is_file()


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of a collection.

    Raises:
        InvalidVectors: There is no such collection, or another version of Chroma wrote the folder.
    """
    if not (path / _FILE).is_file():
        raise InvalidVectors(
            f"{path.name} was written by Chroma before 0.4, which kept Parquet files. Migrate it by chroma-migrate, or "
            "give its chroma-embeddings.parquet."
        )
    with _database(path) as database:
        return _Collection(path, columns, database)


class _Collection(Gathered):
    def __init__(self, path: Path, columns: Columns, database: sqlite3.Connection) -> None:
        self._path = path
        collection, dimension = self._chosen(columns.collection, database)
        segments = dict(database.execute("SELECT scope, id FROM segments WHERE collection = ?", (collection,)))
        rows = database.execute(
            "SELECT id, embedding_id FROM embeddings WHERE segment_id = ? ORDER BY id", (segments["METADATA"],)
        ).fetchall()
        self._numbers = np.array([number for number, _ in rows], np.int64)
        self._ids = [str(name) for _, name in rows]
        keys = {_DOCUMENT} | {name for (name,) in database.execute("SELECT DISTINCT key FROM embedding_metadata")}
        documents = _DOCUMENT if columns.text == "text" else columns.text
        self._keys = replace(columns, text=documents, id="").fields(sorted(keys), path.name)
        self._waiting = self._queue(collection, database)
        self._data, positions = self._persisted(path / segments["VECTOR"], dimension)
        self._positions = [-1 if name in self._waiting else positions.get(name, -1) for name in self._ids]
        lost = sum(at < 0 and name not in self._waiting for name, at in zip(self._ids, self._positions, strict=True))
        if lost:
            raise InvalidVectors(
                f"{lost:,} of {len(self._ids):,} texts of {path.name} have no vector in its files: it is damaged, or "
                "another version of Chroma wrote it (1.5 was tested)."
            )
        self.described = "float32, Chroma folder"

    @property
    def count(self) -> int:
        return len(self._ids)

    def gather(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        return np.stack([self._vector(int(row)) for row in rows])

    def fields(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        fields: dict[str, list[str]] = {"id": [self._ids[row] for row in rows]}
        with _database(self._path) as database:
            for role, key in self._keys.items():
                values: dict[int, str] = {}
                for start in range(0, len(rows), _QUERIED_AT_ONCE):
                    numbers = self._numbers[rows[start : start + _QUERIED_AT_ONCE]].tolist()
                    query = (
                        "SELECT id, coalesce(string_value, int_value, float_value, bool_value) FROM embedding_metadata "
                        f"WHERE key = ? AND id IN ({','.join('?' * len(numbers))})"
                    )
                    values |= {number: str(value) for number, value in database.execute(query, (key, *numbers))}
                fields[role] = [values.get(number, "") for number in self._numbers[rows].tolist()]
        if not any(fields.get("text", [])):
            fields.pop("text", None)
        return fields

    def _vector(self, row: int) -> NDArray[np.float32]:
        name = self._ids[row]
        return self._waiting[name] if name in self._waiting else self._data[self._positions[row]]

    def _chosen(self, name: str, database: sqlite3.Connection) -> tuple[str, int]:
        """Return id and dimension of the named or only collection."""
        collections = {
            title: (identity, size)
            for identity, title, size in database.execute("SELECT id, name, dimension FROM collections")
        }
        if not name and len(collections) == 1:
            ((identity, size),) = collections.values()
        elif name in collections:
            identity, size = collections[name]
        else:
            raise InvalidVectors(
                f"{self._path.name} has {len(collections)} collections. Name one by 'collection': "
                f"{', '.join(collections)}."
            )
        if not size:
            raise InvalidVectors(f"The collection of {self._path.name} holds no vectors.")
        return identity, int(size)

    def _queue(self, collection: str, database: sqlite3.Connection) -> dict[str, NDArray[np.float32]]:
        """Return the vectors that wait to be written, by id."""
        waiting: dict[str, NDArray[np.float32]] = {}
        query = "SELECT operation, id, vector, encoding FROM embeddings_queue WHERE topic LIKE ? ORDER BY seq_id"
        for operation, name, vector, encoding in database.execute(query, (f"%{collection}",)):
            if operation == _DELETED:
                waiting.pop(name, None)
            elif vector is not None:
                if encoding != "FLOAT32":
                    raise InvalidVectors(f"{self._path.name} holds vectors as {encoding!r}. FLOAT32 is read.")
                waiting[name] = np.frombuffer(vector, "<f4")
        return waiting

    def _persisted(self, folder: Path, dimension: int) -> tuple[NDArray[np.float32], dict[str, int]]:
        """Return the vectors in the files of the index, and the row of each id there."""
        names = folder / "index_metadata.pickle"
        if not names.is_file():
            return np.empty((0, dimension), np.float32), {}
        where = f"{folder.name}/{names.name}"
        known = inert.content_of(names.read_bytes(), where)
        labels = known.state if isinstance(known, inert.Symbol) else known
        header, data = (folder / "header.bin").read_bytes(), folder / "data_level0.bin"
        version, _, _, count, size, label_at, vector_at = struct.unpack_from("<iQQQQQQ", header)
        fits = vector_at + 4 * dimension <= size and label_at + 8 <= size and count * size <= data.stat().st_size
        if version != 1 or not fits or not isinstance(labels, dict) or "id_to_label" not in labels:
            raise InvalidVectors(
                f"The index in {self._path.name} is damaged, or of another version of Chroma than those that are known "
                f"here (header version {version}; 1.5 was tested)."
            )
        items = np.memmap(data, np.uint8, "r", shape=(count, size)) if count else np.empty((0, size), np.uint8)
        vectors = items[:, vector_at : vector_at + 4 * dimension].view("<f4")
        labels_of_rows = np.ascontiguousarray(items[:, label_at : label_at + 8]).view("<u8")[:, 0]
        rows = {label: row for row, label in enumerate(labels_of_rows.tolist())}
        return vectors, {str(name): rows[label] for name, label in labels["id_to_label"].items() if label in rows}


@contextmanager
def _database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the folder's SQLite file for reading."""
    try:
        with closing(sqlite3.connect(f"{(path / _FILE).absolute().as_uri()}?mode=ro", uri=True)) as database:
            yield database
    except (sqlite3.Error, struct.error, KeyError, OSError) as error:
        raise InvalidVectors(
            f"{path.name} is damaged, or of another version of Chroma than those that are known here (0.4 to 1.5): "
            f"{str(error)[:120]}."
        ) from None
