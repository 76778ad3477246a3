"""CSV and TSV tables: a column of ``[0.1,0.2]``, as pgvector writes it, or one column a dimension."""

import csv
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources import user_files
from core.sources.vectors.stored import USUAL, Columns, Rows, Stored, Streamed, grouped, stacked

NAME = "CSV (.csv, .tsv)"


def recognises(path: Path) -> bool:
    """Tell by the name."""
    return path.is_file() and path.suffix.lower() in (".csv", ".tsv")


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of the table.

    Raises:
        InvalidVectors: It has no column of vectors.
    """
    return _Table(path, columns)


class _Table(Streamed):
    def __init__(self, path: Path, columns: Columns) -> None:
        self._path, self.described = path, "float32, CSV"
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                first = file.readline()
        except UnicodeDecodeError:
            raise InvalidVectors(f"{path.name} must be UTF-8.") from None
        if not first.strip():
            raise InvalidVectors(f"{path.name} is empty: its first line must name the columns.")
        self._separator = user_files.separator(
            first, [*filter(None, (columns.vector, columns.text)), *USUAL, columns.id]
        )
        self._names = user_files.header(first, self._separator)
        self._fields = columns.fields(self._names, path.name)
        self._positions = [self._names.index(name) for name in columns.dimensions(self._names, path.name)]

    @cached_property
    def count(self) -> int:
        return sum(1 for _ in self._rows())

    def pieces(self) -> Iterator[Rows]:
        start, width = 0, 0
        fields = {role: self._names.index(name) for role, name in self._fields.items()}
        for rows in grouped(self._rows()):
            numbers = self._numbers(rows, start, width)
            width, start = numbers.shape[1], start + len(rows)
            yield Rows(numbers, {role: [row[position] for row in rows] for role, position in fields.items()})

    def _numbers(self, rows: tuple[list[str], ...], start: int, width: int) -> NDArray[np.float32]:
        name = self._path.name
        if len(self._positions) != 1:
            return stacked([[row[position] for position in self._positions] for row in rows], start, name, width)
        cells = (row[self._positions[0]].strip() for row in rows)
        return stacked([_listed(cell) for cell in cells], start, name, width)

    def _rows(self) -> Iterator[list[str]]:
        try:
            with self._path.open(encoding="utf-8-sig", newline="") as file:
                rows = csv.reader(file, delimiter=self._separator, strict=True)
                next(rows, None)
                for row in rows:
                    if row and len(row) != len(self._names):
                        raise InvalidVectors(
                            f"Line {rows.line_num:,} of {self._path.name} has {len(row)} fields, not "
                            f"{len(self._names)} as its first. Put cells that hold commas between double quotes."
                        )
                    if row:
                        yield row
        except (csv.Error, UnicodeDecodeError, OSError) as error:
            raise InvalidVectors(f"{self._path.name} cannot be read as a table: {str(error)[:120]}.") from None


def _listed(cell: str) -> Any:
    """Return the numbers of ``[0.1,0.2]`` as texts; a cell that is no list as it is."""
    return cell[1:-1].split(",") if cell[:1] == "[" and cell[-1:] == "]" else cell
