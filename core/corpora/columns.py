"""The columns of a user's table: which there are, and which of them probably hold texts and owners."""

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from core.corpora import parsing
from core.errors import MissingColumn
from core.sources import user_files

FIELDS = ("text_column", "owner_column", "label_column")
"""Parameters of documents that name a column."""
_USUAL = {
    "text_column": ("text", "body", "content", "message", "document", "comment", "review"),
    "owner_column": ("owner", "author", "user", "sender", "from", "username", "user_id", "author_id", "name"),
}
"""What columns of texts and of owners are usually called, the surest name first."""
_MARKS = ("member", "is_member", "membership")
"""What columns are usually called that say which documents a model was trained on, the surest name first."""
_MOST = 200
_LONGEST = 1_000_000
"""Bytes of a first line that are read."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Controls that are no space, and halves of a character, which UTF-8 cannot hold."""


def of(path: Path) -> tuple[str, ...]:
    """Return the names of a table's columns that are not empty, unique and can be written; none for other files."""
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    try:
        if ending in (".csv", ".tsv"):
            names = _of_table(
                _first_line(path), user_files.SEPARATORS if ending == ".csv" else user_files.SEPARATORS[::-1]
            )
        elif ending == ".jsonl":
            names = list(dict(json.loads(_first_line(path))))
        elif ending == ".parquet":
            names = _of_parquet(path)
        else:
            return ()
    except (OSError, EOFError, zlib.error, ValueError, TypeError, RecursionError):
        return ()
    offered = (name for name in map(str, names) if name.strip() and not _UNWRITABLE.search(name))
    return tuple(islice((name for name in offered if names.count(name) == 1), _MOST))


def proposed(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns that probably hold texts and owners, by parameter; a single column holds the texts.

    >>> proposed(["Author", "body", "date"]), proposed(["line"]), proposed(["a", "b"])
    ({'text_column': 'body', 'owner_column': 'Author'}, {'text_column': 'line'}, {})
    """
    if len(columns) == 1:
        return {"text_column": columns[0]}
    found = {field: _surest(columns, usual) for field, usual in _USUAL.items()}
    return {field: name for field, name in found.items() if name}


def marking(columns: Sequence[str]) -> str:
    """Return the column that probably says which documents a model was trained on; empty for none.

    >>> marking(["text", "Member"]), marking(["is_member", "member"]), marking(["text", "remember"])
    ('Member', 'member', '')
    """
    return _surest(columns, _MARKS)


@contextmanager
def named_by(parameters: Mapping[str, str]) -> Iterator[None]:
    """Say of a column that a table lacks which parameter names it.

    Args:
        parameters: The column that each parameter names; empty for none.

    Raises:
        MissingColumn: The table lacks one.
    """
    try:
        yield
    except MissingColumn as error:
        parameter = next((name for name, column in parameters.items() if column == error.column), "")
        raise MissingColumn(f"{error} Set {parameter!r} to the column that is meant.", error.column) from None


def _surest(columns: Sequence[str], usual: Sequence[str]) -> str:
    """Return the column with the first of the usual names, spelled just so if there is one; empty for none."""
    by_name = {name.strip().lower(): name for name in reversed(columns)} | {name: name for name in columns}
    return next((by_name[name] for name in usual if name in by_name), "")


def _first_line(path: Path) -> str:
    with parsing.opened(path) as file:
        line = file.readline(_LONGEST)
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def _of_table(line: str, separators: Sequence[str]) -> list[str]:
    """Return the fields of a first row, by the separator that gives most, or the first of these."""
    return max((user_files.header(line, sign) for sign in separators), key=len)


def _of_parquet(path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return [str(name) for name in pq.read_schema(path).names]
    except pa.ArrowException as error:
        raise ValueError(str(error)) from None
