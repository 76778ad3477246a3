"""Tables as Parquet files that are as small as their values allow."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_DICTIONARY = None
"""The encoding of columns whose values repeat; Parquet turns it on apart from the others."""
_LARGE = 2**15
"""Rows beyond which earlier versions split the bytes of fractions that mostly differ."""
_LEVEL = 9
"""Of compression: higher ones take several times as long, for 2% of the bytes."""


def parquet(table: "pd.DataFrame") -> bytes:
    """Return a table as the bytes of a Parquet file, each column in whichever encoding takes the fewest bytes.

    Statistics of columns and the schema in the words of pandas and Arrow are left out: nothing reads them, and of a
    small table they would be most of the file. Equal tables give equal bytes. Types come back that Parquet itself has:
    numbers, truth values, strings and lists of them, which `core.result.table` gives; those of pandas alone do not.
    """
    import pyarrow as pa

    arrow = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    return _written(arrow, dict(_smallest(arrow.select([name])) for name in arrow.column_names))


def as_written_before(table: "pd.DataFrame") -> bytes:
    """Return a table as the bytes that versions before 30 November 2026 wrote, whose digests old reports hold."""
    apart = [
        str(name)
        for name, values in table.items()
        if len(table) > _LARGE and values.dtype.kind == "f" and values.nunique() > len(table) / 2
    ]
    repeated: list[str] | bool = [str(name) for name in table if name not in apart] if apart else True
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False, compression="zstd", use_dictionary=repeated, use_byte_stream_split=apart)
    return buffer.getvalue()


def from_parquet(content: bytes) -> "pd.DataFrame":
    """Read a table in this thread: Arrow's threads may outlive a short process, and abort it."""
    from pyarrow import BufferReader
    from pyarrow.parquet import ParquetFile

    frame: pd.DataFrame = ParquetFile(BufferReader(content)).read(use_threads=False).to_pandas(use_threads=False)
    return frame


def _smallest(column: "pa.Table") -> tuple[str, str | None]:
    """Return the path of a column in the file, and the encoding that takes the fewest bytes."""
    from pyarrow import types

    field = column.schema.field(0)
    listed = types.is_list(field.type)
    path, kind = (f"{field.name}.list.element", field.type.value_type) if listed else (field.name, field.type)
    return path, min(_encodings(kind), key=lambda encoding: len(_written(column, {path: encoding})))


def _encodings(kind: "pa.DataType") -> tuple[str | None, ...]:
    """Return the encodings that may suit values of a type; of equally good ones the first is taken."""
    from pyarrow import types

    if types.is_boolean(kind):
        return ("RLE", "PLAIN")
    if types.is_floating(kind):
        return (_DICTIONARY, "PLAIN", "BYTE_STREAM_SPLIT")
    if types.is_integer(kind):
        return (_DICTIONARY, "PLAIN", "BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED")
    if types.is_string(kind) or types.is_large_string(kind):
        return (_DICTIONARY, "PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY")
    return (_DICTIONARY,)


def _written(table: "pa.Table", encodings: dict[str, str | None]) -> bytes:
    from pyarrow.parquet import write_table

    buffer = io.BytesIO()
    write_table(
        table,
        buffer,
        compression="zstd",
        compression_level=_LEVEL,
        use_dictionary=[path for path, encoding in encodings.items() if encoding is _DICTIONARY],
        column_encoding={path: encoding for path, encoding in encodings.items() if encoding is not _DICTIONARY} or None,
        write_statistics=False,
        store_schema=False,
    )
    return buffer.getvalue()
