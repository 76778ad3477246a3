"""One table as a stream of Arrow arrays: separated values and lines of JSON, also as gzip, and Parquet."""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from core.errors import InvalidDocuments
from core.sources import parquet, user_files

BLOCK = 4_000_000
"""Bytes of a table that are parsed at a time; a row may not be longer."""

ROWS = 1024
"""Rows of Parquet, or files of a folder, that are read at a time."""


def batches(file: Path, texts: str, owners: str) -> Iterator[tuple[Any, Any]]:
    """Yield texts, and owners or None, as Arrow arrays of at most a few megabytes.

    Args:
        file: The table.
        texts: Name of the column with texts.
        owners: Name of the column with owners; empty when there is none.

    Raises:
        InvalidDocuments: The file is no such table, lacks a column, or is not UTF-8.
    """
    import pyarrow as pa

    wanted = list(dict.fromkeys([texts, *filter(None, [owners])]))
    name = file.name.lower().removesuffix(".gz")
    user_files.refuse_empty(file.name, user_files.size_of(file))
    try:
        if name.endswith(".parquet"):
            read = parquet.batches(file, wanted, texts, ROWS)
        elif name.endswith(".jsonl"):
            read = _lines_of_json(file, wanted)
        else:
            read = _separated(file, wanted)
        for batch in read:
            for column in batch.values():
                column.validate(full=True)
            yield batch[texts], batch[owners] if owners else None
    except (pa.ArrowException, OSError, EOFError, UnicodeError, zlib.error) as error:
        reason = " ".join(str(error).split())[:200]
        if "straddling" in reason:
            reason = f"a row has more than {BLOCK:,} bytes, or a quotation mark is left open"
        raise InvalidDocuments(
            f"{file.name} cannot be read: {reason}. It must be UTF-8; `iconv` converts it."
        ) from None


def _separated(file: Path, wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.csv as table

    with opened(file) as stream:
        head = stream.read(BLOCK).decode("utf-8-sig", errors="replace")
    separator = user_files.separator(head, wanted)
    user_files.require(wanted, user_files.header(head, separator), file.name)
    with opened(file) as stream:
        rows = table.open_csv(
            stream,
            read_options=table.ReadOptions(block_size=BLOCK, use_threads=False),
            parse_options=table.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=table.ConvertOptions(
                include_columns=list(wanted),
                column_types=dict.fromkeys(wanted, pa.large_string()),
                strings_can_be_null=False,
            ),
        )
        for batch in rows:
            yield {name: batch.column(name) for name in wanted}


def _lines_of_json(file: Path, wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.json as lines

    with opened(file) as stream:
        first = stream.readline(BLOCK).decode("utf-8-sig", errors="replace")
    try:
        names = list(json.loads(first))
    except (ValueError, TypeError, RecursionError):
        raise InvalidDocuments(f"The first line of {file.name} is no object of JSON with a text in it.") from None
    user_files.require(wanted, names, file.name)
    with opened(file) as stream:
        rows = lines.open_json(
            stream,
            read_options=lines.ReadOptions(block_size=BLOCK, use_threads=False),
            parse_options=lines.ParseOptions(
                explicit_schema=pa.schema([(name, pa.large_string()) for name in wanted]),
                unexpected_field_behavior="ignore",
            ),
        )
        for batch in rows:
            yield {name: batch.column(name).fill_null("") for name in wanted}


def opened(file: Path) -> IO[bytes]:
    """Open a file for reading, unpacked where it is compressed."""
    if file.suffix.lower() == ".gz":
        return cast(IO[bytes], gzip.open(file))
    return file.open("rb")
