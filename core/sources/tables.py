"""Tables in pinned files: columns by their names, and each text once."""

import csv
import io
from collections.abc import Iterable, Sequence

from core.errors import DataCorrupt, suggestion
from core.text.contents import Documents


def text_of(name: str, content: bytes) -> str:
    """Return a file's text.

    Raises:
        DataCorrupt: They are no UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataCorrupt(f"{name} must be UTF-8. It is not from byte {error.start:,} on.") from None


def rows_of(name: str, content: bytes, columns: Sequence[str], delimiter: str = ",") -> list[tuple[str, ...]]:
    """Return the named columns of a table, one tuple a row; every other column is passed over.

    Args:
        name: What messages call the file.
        content: Its bytes; the names stand in the first row.
        columns: The columns wanted.
        delimiter: What separates the fields.

    Raises:
        DataCorrupt: The file is no such table, or lacks a column.
    """
    table = csv.reader(io.StringIO(text_of(name, content), newline=""), delimiter=delimiter, strict=True)
    rows = []
    try:
        header = next(table, [])
        for column in columns:
            if column not in header:
                raise DataCorrupt(f"{name} has no column {column!r}.{suggestion(column, header)}")
        positions = [header.index(column) for column in columns]
        for row in table:
            if row and len(row) != len(header):
                raise DataCorrupt(f"Line {table.line_num} of {name} has {len(row)} fields, not {len(header)}.")
            if row:
                rows.append(tuple(row[position] for position in positions))
    except csv.Error as error:
        raise DataCorrupt(f"Line {table.line_num} of {name} cannot be read: {error}.") from None
    return rows


def labelled(name: str, rows: Iterable[tuple[str, str]]) -> Documents:
    r"""Return each text once, with its label, in the order of first appearance.

    White space becomes single spaces, and empty texts are left out. Two texts that differ in case or in the final stop
    only are the same. A text that has several labels is evidence for none of them, and is left out.

    >>> labelled("x", [("Knee  injection.", "a"), ("knee injection", "a"), ("Knee", "a"), ("knee", "b")]).texts
    ('Knee injection.',)

    Raises:
        DataCorrupt: No text is left.
    """
    texts: dict[str, str] = {}
    labels: dict[str, set[str]] = {}
    for text, label in rows:
        plain = " ".join(text.split())
        if same := plain.casefold().rstrip(" ."):
            texts.setdefault(same, plain)
            labels.setdefault(same, set()).add(label)
    unambiguous = [same for same, several in labels.items() if len(several) == 1]
    if not unambiguous:
        raise DataCorrupt(f"{name} holds no texts.")
    return Documents(
        tuple(texts[same] for same in unambiguous), labels=tuple(next(iter(labels[same])) for same in unambiguous)
    )
