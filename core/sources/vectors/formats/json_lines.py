"""Lines of JSON: one object a vector, with a list of numbers, and texts, ids, owners and labels beside it."""

import gzip
import json
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from core.errors import InvalidVectors
from core.sources.vectors.stored import Columns, Rows, Stored, Streamed, grouped, stacked

NAME = "JSON lines (.jsonl, .jsonl.gz)"


def recognises(path: Path) -> bool:
    """Tell by the name."""
    return path.is_file() and path.name.lower().endswith((".jsonl", ".jsonl.gz"))


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of the file."""
    return _Lines(path, columns)


class _Lines(Streamed):
    def __init__(self, path: Path, columns: Columns) -> None:
        self._path, self._columns = path, columns
        self.described = "float32, JSON lines"

    @cached_property
    def count(self) -> int:
        return sum(1 for _ in self._lines())

    def pieces(self) -> Iterator[Rows]:
        fields: dict[str, str] | None = None
        vectors: list[str] = []
        start, width, name = 0, 0, self._path.name
        for lines in grouped(self._lines()):
            rows = [self._parsed(line, start + number) for number, line in enumerate(lines)]
            if fields is None:
                vectors = self._columns.dimensions(list(rows[0]), name)
                fields = self._columns.fields(list(rows[0]), name)
            lists = [row.get(vectors[0]) if len(vectors) == 1 else [row.get(one) for one in vectors] for row in rows]
            numbers = stacked(lists, start, name, width)
            width, start = numbers.shape[1], start + len(rows)
            yield Rows(numbers, {role: [_plain(row.get(field)) for row in rows] for role, field in fields.items()})

    def _lines(self) -> Iterator[bytes]:
        opening: Any = gzip.open if self._path.suffix.lower() == ".gz" else open
        try:
            with opening(self._path, "rb") as file:
                yield from (line for line in file if line.strip())
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidVectors(f"{self._path.name} cannot be read: {error}.") from None

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            row = _object(line)
        except (ValueError, RecursionError) as error:
            raise InvalidVectors(f"Line {number + 1:,} of {self._path.name} is no JSON: {str(error)[:100]}.") from None
        if not isinstance(row, dict):
            raise InvalidVectors(
                f"Line {number + 1:,} of {self._path.name} must be an object. It is a list or a value."
            )
        return row


def _object(line: bytes) -> Any:
    """Return what a line holds; Python's own parser knows NaN, which JSON does not."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return json.loads(line)


def _plain(value: Any) -> str:
    return "" if value is None else str(value)
