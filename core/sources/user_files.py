"""A user's own files: located, limited in size, read as text or as a table, and identified by their content."""

import csv
import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import InvalidDocuments, MissingColumn, TooManyDocuments, no_column

LARGEST = 200_000_000
"""Bytes that all files may have together, and that a column may have when unpacked."""
csv.field_size_limit(LARGEST)  # of the process, so nobody sets another; too long a text is passed over, not refused
_MOST_NAMES = 1000
"""Names in a folder among which the nearest to a missing one is sought."""

SEPARATORS = (",", ";", "\t")
"""What may separate the columns of a table."""


def located(source: str) -> Path:
    """Return the file or folder of a path.

    Raises:
        InvalidDocuments: There is none.
    """
    try:
        path = Path(source).expanduser()
        exists = path.is_dir() or path.is_file()
    except (ValueError, RuntimeError, OSError) as error:
        raise InvalidDocuments(f"{source!r} is no path: {error}.") from None
    if not exists:
        raise InvalidDocuments(f"There is no folder and no file {source!r} on this machine.{nearest(source)}")
    return path


def nearest(source: str) -> str:
    """Return the path beside one that does not exist whose name is most like its own, as the end of a message."""
    try:
        path = Path(source).expanduser()
        names = [each.name for each in islice(path.parent.iterdir(), _MOST_NAMES)]
    except (OSError, RuntimeError, ValueError):
        return ""
    like = get_close_matches(path.stem, {Path(name).stem for name in names}, n=_MOST_NAMES)
    close = get_close_matches(path.name, [name for name in names if Path(name).stem in like], n=1)
    return f" Did you mean {str(path.with_name(close[0]))!r}?" if close else ""


def check_size(name: str, size: int) -> None:
    """Refuse more bytes than are read, and none at all.

    Raises:
        TooManyDocuments: It has more.
        InvalidDocuments: It has none.
    """
    if size > LARGEST:
        raise TooManyDocuments(f"{name} has {size:,} bytes. At most {LARGEST:,} are read; take a part of it.")
    refuse_empty(name, size)


def refuse_empty(name: str, size: int) -> None:
    """Refuse a file or folder without a byte.

    Raises:
        InvalidDocuments: It is empty.
    """
    if size == 0:
        raise InvalidDocuments(f"{name} is empty.")


def refuse_without_rows(name: str, rows: int) -> None:
    """Refuse a table that has names of columns, and nothing below them.

    Raises:
        InvalidDocuments: It has no row.
    """
    if rows == 0:
        raise InvalidDocuments(f"{name} is empty: it names columns, and no row stands below. Write one for each text.")


def decoded(file: Path) -> str:
    """Return a file's text, of UTF-8 or else of Windows-1252.

    Raises:
        InvalidDocuments: It cannot be read, or is no text.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InvalidDocuments(f"{file.name} cannot be read: {error.strerror}.") from None
    if b"\0" in content:
        raise InvalidDocuments(f"{file.name} holds NUL bytes: it is no text, or UTF-16. Save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def require(wanted: Sequence[str], names: Sequence[str], file: str) -> None:
    """Refuse a table without the columns that are wanted.

    Raises:
        MissingColumn: One of them does not exist.
        InvalidDocuments: One of them exists twice.
    """
    for name in wanted:
        if name not in names:
            raise MissingColumn(no_column(file, name, names), name)
        if names.count(name) > 1:
            raise InvalidDocuments(f"{file} has {names.count(name)} columns named {name!r}. Rename all but one.")


def table(path: Path, wanted: Sequence[str], optional: Sequence[str] = (), *, most: int) -> dict[str, list[str]]:
    """Return columns of a table that is separated by comma, semicolon or tab, with names in the first row.

    Args:
        path: The file.
        wanted: Names of the columns to read. The separator is the one that makes one of them a column.
        optional: Names of further columns, read where they exist.
        most: Rows that may be read; short ones take many times their size in memory.

    Raises:
        InvalidDocuments: A column does not exist, or exists twice, a row cannot be read, or there are too many.
    """
    text = decoded(path)
    sign = separator(text, wanted)
    columns: dict[str, list[str]] = {}
    number = 0
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    try:
        names = next(rows, [])
        wanted = [*wanted, *(name for name in optional if name in names)]
        require(wanted, names, path.name)
        positions = {name: names.index(name) for name in wanted}
        columns = {name: [] for name in positions}
        for row in rows:
            if not row:
                continue
            if len(row) != len(names):
                raise InvalidDocuments(
                    f"Line {rows.line_num} of {path.name} has {len(row)} fields, not {len(names)} as its first. "
                    "Put texts that hold the separator or line breaks between double quotes."
                )
            if (number := number + 1) > most:
                raise TooManyDocuments(f"{path.name} has more than {most:,} rows. At most {most:,} are read.")
            for name, position in positions.items():
                columns[name].append(row[position])
    except csv.Error as error:
        raise InvalidDocuments(f"Line {rows.line_num} of {path.name} cannot be read: {error}.") from None
    refuse_without_rows(path.name, number)
    return columns


def size_of(path: Path) -> int:
    """Return a file's size in bytes.

    Raises:
        InvalidDocuments: It cannot be read.
    """
    return _stamp(path)[0]


def digest_of(files: Sequence[Path]) -> str:
    """Return the SHA-256 of files' names and bytes; it is not computed again while their sizes and times stay.

    Raises:
        InvalidDocuments: One cannot be read.
    """
    return _content_digest(tuple((str(file), *_stamp(file)) for file in files))


def by_content(identity: Mapping[str, Any], content: Callable[[], str]) -> dict[str, Any]:
    """Return the identity of a dataset of a user's own: what its files hold instead of where they lie.

    Args:
        identity: All fields, the path under ``source``.
        content: Returns the digest of the files as they are now; without readable files, it is ``none``.
    """
    try:
        digest = content()
    except InvalidDocuments:
        digest = "none"
    return {**{name: value for name, value in identity.items() if name != "source"}, "content": digest}


def content_of(files: Sequence[Path], *, owned: bool = False) -> str:
    """Return the SHA-256 of what is read from files, wherever they lie: their kinds and bytes, in this order.

    Args:
        files: The files.
        owned: Whether the names of their folders count, being the owners of texts.

    Raises:
        InvalidDocuments: One cannot be read.
    """
    digest = hashlib.sha256()
    for file in files:
        name = f"{file.parent.name}/" if owned else ""
        content = _content(str(file), *_stamp(file))
        digest.update(f"{content}  {name}{file.suffix.lower()}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def separator(text: str, wanted: Sequence[str]) -> str:
    """Return which of comma, semicolon and tab sets a wanted column apart in the first row of a table's text.

    Where none does, it is the one that gives the most columns, so that a message can name them.
    """
    headers = {sign: header(text, sign) for sign in SEPARATORS}
    fitting = next((sign for sign, names in headers.items() if {*wanted} & {*names}), None)
    return fitting or max(headers, key=lambda sign: len(headers[sign]))


def header(text: str, separator: str) -> list[str]:
    """Return the first row of a table's text; nothing where it cannot be read."""
    try:
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), [])
    except csv.Error:
        return []


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise InvalidDocuments(f"{path.name} cannot be read: {error.strerror}.") from None
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=16_384)
def _content(name: str, size: int, time: int) -> str:
    """Return the SHA-256 of a file's bytes; size and time only tell when to read it again."""
    try:
        with Path(name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InvalidDocuments(f"{Path(name).name} cannot be read: {error.strerror}.") from None


@lru_cache(maxsize=64)
def _content_digest(state: tuple[tuple[str, int, int], ...]) -> str:
    """Return the SHA-256 of the files' names and bytes; sizes and times only tell when to read them again."""
    digest = hashlib.sha256()
    for name, size, time in state:
        content = _content(name, size, time)
        digest.update(f"{content}  {Path(name).parent.name}/{Path(name).name}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()
