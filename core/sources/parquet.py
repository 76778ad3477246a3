"""Columns of a user's Parquet file, whose unpacked size is counted before anything is unpacked."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import InvalidDocuments, TooManyDocuments
from core.sources import user_files

_ROWS_AT_ONCE = 1024
_LARGEST_GROUP = 1_000_000_000
_SMALL = 32_000_000
_LOOK = """
import sys, pyarrow.parquet
metadata, wanted = pyarrow.parquet.read_metadata(sys.argv[1]), set(sys.argv[2:])
for group in map(metadata.row_group, range(metadata.num_row_groups)):
    columns = map(group.column, range(group.num_columns))
    print(sum(column.total_uncompressed_size for column in columns if column.path_in_schema in wanted))
"""
"""Program that prints the unpacked size of columns, one row group a line."""


def columns(path: Path, wanted: Sequence[str], texts: str, most: int) -> dict[str, list[str]]:
    """Return columns of a Parquet file as texts, empty ones for missing values.

    A few bytes can stand for gigabytes: rows may all point at one long text, of which the file, and the arrays that
    are read from it, hold a single copy. So the length of the value of each row is counted.

    Args:
        path: The file.
        wanted: Names of the columns to read.
        texts: The one of them that may not hold whole numbers.
        most: Rows that may be read.

    Raises:
        InvalidDocuments: The file cannot be read, has too many rows or unpacks to too much, or a column does not exist,
            exists twice, or holds neither texts nor whole numbers.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    read: dict[str, list[str]] = {name: [] for name in wanted}
    size = 0
    try:
        with pq.ParquetFile(path) as table:
            schema, metadata = _checked(table, path, wanted, texts)
            if metadata.num_rows > most:
                raise TooManyDocuments(f"{path.name} has {metadata.num_rows:,} rows. At most {most:,} are read.")
            sizes = _group_sizes(metadata)
            _refuse_size(path.name, sum(sizes if sum(sizes) <= user_files.LARGEST else _of_columns(path, wanted)))
        with pq.ParquetFile(path, read_dictionary=_packed(schema, wanted)) as table:
            for batch in table.iter_batches(_ROWS_AT_ONCE, columns=list(wanted), use_threads=False):
                size += sum(_unpacked(batch.column(name)) for name in wanted)
                _refuse_size(path.name, size)
                for name, values in read.items():
                    values += texts_of(batch.column(name))
    except (pa.ArrowException, OSError, UnicodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InvalidDocuments(f"{path.name} is not a readable Parquet file: {reason}") from None
    return read


def batches(path: Path, wanted: Sequence[str], texts: str, rows: int) -> Iterator[dict[str, Any]]:
    """Yield columns of a Parquet file of any size as Arrow arrays of texts, a few megabytes at a time.

    Args:
        path: The file.
        wanted: Names of the columns to read.
        texts: The one of them that may not hold whole numbers.
        rows: The most rows at a time.

    Raises:
        InvalidDocuments: A column does not exist, exists twice, holds neither texts nor whole numbers, or has a row
            group that unpacks to too much at once.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as table:
        schema, metadata = _checked(table, path, wanted, texts)
        sizes = _group_sizes(metadata)
        for size in sizes if max(sizes, default=0) <= _LARGEST_GROUP else _of_columns(path, wanted):
            if size > _LARGEST_GROUP:
                raise InvalidDocuments(
                    f"A row group of {path.name} unpacks to {size:,} bytes. At most {_LARGEST_GROUP:,} are read at "
                    "once; write it with smaller row groups."
                )
    with pq.ParquetFile(path, read_dictionary=_packed(schema, wanted)) as table:
        for batch in table.iter_batches(rows, columns=list(wanted), use_threads=False):
            for part in _small(batch):
                yield {name: part.column(name).cast(pa.large_string()).fill_null("") for name in wanted}


def _small(batch: Any) -> Iterator[Any]:
    """Yield a batch in parts that are small once unpacked, or of one row."""
    if batch.num_rows > 1 and sum(_unpacked(column) for column in batch.columns) > _SMALL:
        half = batch.num_rows // 2
        yield from _small(batch.slice(0, half))
        yield from _small(batch.slice(half))
    else:
        yield batch


def _checked(table: Any, path: Path, wanted: Sequence[str], texts: str) -> tuple[Any, Any]:
    """Return schema and metadata of a file that has the wanted columns, with values of the right type."""
    schema = table.schema_arrow
    user_files.require(wanted, schema.names, path.name)
    for name in wanted:
        _refuse_type(schema.field(name).type, name, name != texts, path.name)
    return schema, table.metadata


def _packed(schema: Any, wanted: Sequence[str]) -> list[str]:
    """Return the columns to read as dictionaries: each different text is in memory once, however many rows have it."""
    import pyarrow as pa

    return [name for name in wanted if not pa.types.is_integer(schema.field(name).type)]


def _group_sizes(metadata: Any) -> list[int]:
    """Return how many bytes each row group unpacks to in all columns, as the file itself states."""
    return [int(metadata.row_group(group).total_byte_size) for group in range(metadata.num_row_groups)]


def _of_columns(path: Path, wanted: Sequence[str]) -> list[int]:
    """Return how many bytes each row group unpacks to in the wanted columns, as the file itself states.

    A separate process reads them, because a damaged description of a column kills the process (pyarrow 26).
    """
    command = [sys.executable, "-c", _LOOK, str(path.resolve()), *wanted]
    looked = subprocess.run(command, capture_output=True, text=True, check=False)
    if looked.returncode:
        raise InvalidDocuments(f"{path.name} is not a readable Parquet file: what it says of a column is damaged.")
    return [int(size) for size in looked.stdout.split()]


def _unpacked(column: Any) -> int:
    """Return how many bytes the values of all rows take together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary).cast(pa.int64())
    return pc.sum(lengths.take(column.indices)).as_py() or 0


def texts_of(column: Any) -> list[str]:
    """Return the value of each row as a text; those of a dictionary that are the same are one object."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return ["" if cell is None else str(cell) for cell in column.to_pylist()]
    known = ["" if text is None else str(text) for text in column.dictionary.to_pylist()]
    return ["" if index is None else known[index] for index in column.indices.to_pylist()]


def _refuse_size(file: str, size: int) -> None:
    if size > user_files.LARGEST:
        raise TooManyDocuments(
            f"The columns of {file} unpack to {size:,} bytes or more. At most {user_files.LARGEST:,} are read; "
            "take a part of it."
        )


def _refuse_type(kind: Any, name: str, names: bool, file: str) -> None:
    """Refuse columns that hold no texts, or no names."""
    import pyarrow.types as types

    plain = kind.value_type if types.is_dictionary(kind) else kind
    texts = types.is_string(plain) or types.is_large_string(plain) or types.is_string_view(plain)
    if not texts and not (names and types.is_integer(plain)):
        rule = "texts or whole numbers" if names else "texts"
        raise InvalidDocuments(f"The column {name!r} of {file} must hold {rule}. It holds {str(kind)[:80]} instead.")
