"""Parquet and Arrow files: a column of lists, or one column a dimension."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources import parquet
from core.sources.vectors.stored import ROWS_AT_ONCE, Columns, Rows, Stored, Streamed, differing

NAME = "Parquet and Arrow (.parquet, .arrow, .feather)"
_LARGEST_GROUP = 4_000_000_000


def recognises(path: Path) -> bool:
    """Tell by the name."""
    return path.is_file() and path.suffix.lower() in (".parquet", ".arrow", ".feather")


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of the file.

    Raises:
        InvalidVectors: It is no such file, or has no column of vectors.
    """
    return _Columns(path, columns)


class _Columns(Streamed):
    def __init__(self, path: Path, columns: Columns) -> None:
        self._path, self._parquet = path, path.suffix.lower() == ".parquet"
        self._packed: list[str] = []
        with _reading(path), self._file() as file:
            schema = file.schema_arrow if self._parquet else file.schema
            self._count = file.metadata.num_rows if self._parquet else _rows(file)
            self._vectors = columns.dimensions(schema.names, path.name)
            self._fields = columns.fields(schema.names, path.name)
            kinds = {name: schema.field(name).type for name in self._vectors}
            self._packed = [name for name in self._fields.values() if _is_text(schema.field(name).type)]
            if self._parquet:
                self._refuse_large(file.metadata)
        for name, kind in kinds.items():
            _refuse(name, kind, path.name, listed=len(self._vectors) == 1)
        inner = {str(kind.value_type if len(self._vectors) == 1 else kind) for kind in kinds.values()}
        names = " and ".join(sorted(_NUMPY.get(name, name) for name in inner))
        self.described = f"{names}, {'Parquet' if self._parquet else 'Arrow'} file"

    @property
    def count(self) -> int:
        return int(self._count)

    def pieces(self) -> Iterator[Rows]:
        start, width = 0, 0
        with _reading(self._path), self._file() as file:
            for batch in self._batches(file):
                # Offsets of a damaged file lead out of its buffers, which ends the process where they are followed.
                batch.validate(full=True)
                numbers = self._numbers(batch, start, width)
                width, start = numbers.shape[1], start + batch.num_rows
                yield Rows(numbers, {role: parquet.texts_of(batch.column(name)) for role, name in self._fields.items()})

    def _numbers(self, batch: Any, start: int, width: int) -> NDArray[Any]:
        if not self._vectors:
            return np.empty((batch.num_rows, 0), np.float32)
        if len(self._vectors) > 1:
            columns = [batch.column(name).to_numpy(zero_copy_only=False) for name in self._vectors]
            return np.stack(columns, axis=1)
        column = batch.column(self._vectors[0])
        if column.null_count:
            row = next(row for row, valid in enumerate(column.is_valid().to_pylist()) if not valid)
            raise InvalidVectors(f"Row {start + row + 1:,} of {self._path.name} has no vector.")
        lengths = np.asarray(column.value_lengths())
        wrong = np.flatnonzero(lengths != (width or lengths[0]))
        if len(wrong):
            row = int(wrong[0])
            raise differing(self._path.name, start + row, int(lengths[row]), width or int(lengths[0]))
        return np.asarray(column.flatten().to_numpy(zero_copy_only=False)).reshape(batch.num_rows, lengths[0])

    def _batches(self, file: Any) -> Iterator[Any]:
        wanted = list(dict.fromkeys([*self._vectors, *self._fields.values()]))
        if self._parquet:
            yield from file.iter_batches(ROWS_AT_ONCE, columns=wanted, use_threads=False)
            return
        for number in range(file.num_record_batches):
            batch = file.get_batch(number).select(wanted)
            for first in range(0, batch.num_rows, ROWS_AT_ONCE):
                yield batch.slice(first, ROWS_AT_ONCE)

    def _file(self) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._parquet:  # rows that point at one long text share it: a few bytes can stand for gigabytes
            return pq.ParquetFile(self._path, memory_map=True, read_dictionary=self._packed)
        return pa.ipc.open_file(pa.memory_map(str(self._path)))

    def _refuse_large(self, metadata: Any) -> None:
        """Refuse a row group that unpacks to more than memory should hold; a few bytes can stand for gigabytes."""
        for number in range(metadata.num_row_groups):
            if (size := metadata.row_group(number).total_byte_size) > _LARGEST_GROUP:
                raise InvalidVectors(
                    f"A row group of {self._path.name} unpacks to {size:,} bytes. At most {_LARGEST_GROUP:,} are read "
                    "at once; write it with smaller row groups."
                )


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn Arrow's errors into those of a user's file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InvalidVectors(f"{path.name} is no readable Parquet or Arrow file: {reason}") from None


_NUMPY = {"float": "float32", "halffloat": "float16", "double": "float64"}


def _rows(file: Any) -> int:
    return sum(file.get_batch(number).num_rows for number in range(file.num_record_batches))


def _is_text(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _refuse(name: str, kind: Any, where: str, *, listed: bool) -> None:
    """Refuse columns that hold no vectors."""
    import pyarrow.types as types

    lists = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    inner = kind.value_type if lists else kind
    if lists != listed or not (types.is_floating(inner) or types.is_integer(inner)):
        rule = "lists of numbers" if listed else "numbers"
        raise InvalidVectors(f"The column {name!r} of {where} must hold {rule}. It holds {str(kind)[:80]} instead.")
