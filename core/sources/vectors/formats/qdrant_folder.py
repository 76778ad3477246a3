"""A folder of Qdrant's local mode: its points are pickles in SQLite, and are read as data, never loaded."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import InvalidVectors
from core.sources.vectors import inert
from core.sources.vectors.stored import Columns, Rows, Stored, Streamed, grouped, of_points

NAME = "a folder of Qdrant's local mode"


def recognises(path: Path) -> bool:
    """Tell by the list of collections."""
    return (path / "meta.json").is_file() and (path / "collection").is_dir()


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of a collection.

    Raises:
        InvalidVectors: There is no such collection.
    """
    try:
        collections = json.loads((path / "meta.json").read_text("utf-8"))["collections"]
        metrics = {name: str((each.get("vectors") or {}).get("distance") or "") for name, each in collections.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError) as error:
        raise InvalidVectors(f"{path.name}/meta.json is damaged: {str(error)[:100]}.") from None
    chosen = columns.collection or (next(iter(metrics)) if len(metrics) == 1 else "")
    file = path / "collection" / chosen / "storage.sqlite"
    if chosen not in metrics or not file.is_file():
        raise InvalidVectors(
            f"{path.name} has {len(metrics)} collections. Name one by 'collection': {', '.join(metrics)}."
        )
    return _Points(file, columns, metrics[chosen].lower())


class _Points(Streamed):
    def __init__(self, file: Path, columns: Columns, metric: str) -> None:
        self._file, self._columns, self.metric = file, columns, metric
        self.described = "float32, Qdrant folder"

    @cached_property
    def count(self) -> int:
        return int(next(self._rows("SELECT count(*) FROM points"))[0])

    def pieces(self) -> Iterator[Rows]:
        rows = grouped(self._rows("SELECT point FROM points ORDER BY rowid"))
        groups = ([self._point(content) for (content,) in some] for some in rows)
        return of_points(groups, self._columns, self._file.parent.name)

    def _point(self, content: Any) -> tuple[Any, Any, dict[str, Any]]:
        """Return id, vector and payload of a point."""
        point = inert.content_of(content, f"A point of {self._file.parent.name}")
        state = point.state.get("__dict__", point.state) if isinstance(point, inert.Symbol) else None
        if not isinstance(state, dict) or "vector" not in state or not isinstance(state.get("payload") or {}, dict):
            raise InvalidVectors(
                f"A point of {self._file.parent.name} is of a form that is not known here (qdrant-client 1.20 was "
                "tested)."
            )
        return state.get("id"), state["vector"], state.get("payload") or {}

    def _rows(self, query: str) -> Iterator[Any]:
        try:
            with closing(sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro", uri=True)) as database:
                yield from database.execute(query)
        except sqlite3.Error as error:
            raise InvalidVectors(f"{self._file.parent.name}/{self._file.name} cannot be read: {error}.") from None
