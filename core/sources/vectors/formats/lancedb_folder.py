"""A LanceDB folder, read by LanceDB itself, which is imported only when such a folder is opened."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors.stored import Columns, Gathered, Stored

NAME = "a LanceDB folder"
_ENDING = ".lance"


def recognises(path: Path) -> bool:
    """Tell by the tables, which are folders themselves."""
    return path.is_dir() and (path.suffix == _ENDING or any(path.glob(f"*{_ENDING}")))


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of a table.

    Raises:
        InvalidVectors: LanceDB is not installed, or there is no such table.
    """
    try:
        import lancedb  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise InvalidVectors(f"{path.name} is a LanceDB folder. To read it: pip install lancedb") from None
    folder, name = (path.parent, path.stem) if path.suffix == _ENDING else (path, columns.collection)
    names = sorted(table.stem for table in folder.glob(f"*{_ENDING}"))
    chosen = name or (names[0] if len(names) == 1 else "")
    if chosen not in names:
        raise InvalidVectors(f"{folder.name} has {len(names)} tables. Name one by 'collection': {', '.join(names)}.")
    try:
        return _Table(lancedb.connect(str(folder)).open_table(chosen), columns, chosen)
    except (ValueError, RuntimeError, OSError) as error:
        if isinstance(error, InvalidVectors):
            raise
        raise InvalidVectors(f"{folder.name} cannot be read by LanceDB: {str(error)[:160]}") from None


class _Table(Gathered):
    def __init__(self, table: Any, columns: Columns, name: str) -> None:
        self._table, names = table, table.schema.names
        self._vector = columns.vector_of(names, name)
        self._fields = columns.fields(names, name)
        self.described = f"{getattr(table.schema.field(self._vector).type, 'value_type', 'numbers')}, LanceDB table"

    @property
    def count(self) -> int:
        return int(self._table.count_rows())

    def gather(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        column = self._read(rows, [self._vector]).column(self._vector).combine_chunks()
        return np.asarray(column.flatten().to_numpy(zero_copy_only=False)).reshape(len(rows), -1)

    def fields(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        table = self._read(rows, list(self._fields.values())) if self._fields else None
        return {role: list(map(str, table.column(name).to_pylist())) for role, name in self._fields.items() if table}

    def _read(self, rows: NDArray[np.int64], names: list[str]) -> Any:
        return self._table.take_offsets(rows.tolist()).select(names).to_arrow()
