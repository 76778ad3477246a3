"""The user's own documents, with a column that says which of them a model was trained on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Any, ClassVar

from core.corpora import columns, parsing
from core.corpora.source import ENDINGS, LONGEST
from core.datasets import Card, Dataset, NearCopies
from core.errors import InvalidDocuments, TooManyDocuments, cell_in_words
from core.sources import user_files
from core.spec import parameter, path_parameter
from core.text.corpus import words_of
from core.text.marked import Mark, MarkedDocuments

MOST = 200_000
"""Documents that are read into memory."""

_MARKS: dict[str, Mark] = {
    **dict.fromkeys(("in", "member", "yes", "true", "1", "1.0"), "in"),
    **dict.fromkeys(("out", "non-member", "nonmember", "no", "false", "0", "0.0"), "out"),
    **dict.fromkeys(("", "null", "none", "nan", "unknown"), ""),
}


_COLUMNS = ("text_column", "member_column", "owner_column", "label_column", "translation_column")
"""Parameters that name a column."""


@dataclass(frozen=True)
class ReadMarkedDocuments:
    """What was read of a user's file.

    Attributes:
        documents: The documents, in the order of their rows.
        rows: All rows.
        empty: Rows passed over because they hold no word.
        long: Rows passed over because they are too long.
        repeated: Rows passed over because the same text stands in another row.
    """

    documents: MarkedDocuments
    rows: int
    empty: int
    long: int
    repeated: int

    @property
    def copies(self) -> int:
        """How many documents are left out because they are near copies of others in."""
        return 0 if self.documents.left_out is None else len(self.documents.left_out)

    def summary(self) -> str:
        """Return the counts as a sentence."""
        documents = self.documents
        marks: tuple[Mark, ...] = ("in", "out", "")
        inside, outside, unmarked = (len(documents.rows(mark)) for mark in marks)
        counts = f"{inside:,} in, {outside:,} out, {unmarked:,} unmarked"
        passed = [
            f"{count:,} {why}"
            for count, why in (
                (self.empty, "without a word"),
                (self.long, f"of more than {LONGEST:,} characters"),
                (self.repeated, "with the text of another row"),
                (self.copies, "as near copies of others in"),
            )
            if count
        ]
        left = f"; left out: {', '.join(passed)}" if passed else ""
        owners = len(set(documents.owners))
        by_owner = f", of {owners:,} owner{'s' * (owners != 1)}" if owners else ""
        classes = len({*documents.labels} - {""})
        by_class = f", in {classes:,} class{'es' * (classes != 1)}" if classes else ""
        return f"{len(documents):,} of {self.rows:,} rows read as documents: {counts}{by_owner}{by_class}{left}."


class OwnMarkedDocuments(Dataset):
    """Documents of your own, of which you know which your model was trained on.

    A ``.csv``, ``.tsv``, ``.jsonl`` (these also as ``.gz``) or ``.parquet`` file gives one document a row. A column
    holds ``in`` for documents that the model was trained on, ``out`` for those that it was not, and nothing where
    nobody knows; ``yes``, ``true`` and ``1`` are read as in, ``no``, ``false`` and ``0`` as out. Texts are UTF-8.
    Documents without a word, without the translation that a column is to hold, or of more than 131,072 characters, are
    passed over, and so is each text after its first row; one that is marked in and out is refused.

    Near copies share at least half of their distinct runs of six words with other documents in, whatever their own
    mark. Those out among them may pass for members; leaving out those in as well keeps both sides of one kind.
    """

    title: ClassVar[str] = "Your own marked documents"
    holds: ClassVar[type] = MarkedDocuments
    card: ClassVar[Card] = Card.own("A table of your own documents that says which of them a model was trained on.")

    source: str = path_parameter("", "Path of a .csv, .tsv, .jsonl or .parquet file, where Telltale runs.")
    text_column: str = parameter("text", "Column that holds the texts.", max_length=200)
    member_column: str = parameter(
        "member", "Column that says in or out; empty cells are documents of which nobody knows.", max_length=200
    )
    owner_column: str = parameter("", "Column that says whose each text is; empty when there is none.", max_length=200)
    label_column: str = parameter(
        "",
        "Column that holds the class of each text, where the model is a classifier; empty when there is none.",
        max_length=200,
        implied="",
    )
    translation_column: str = parameter(
        "",
        "Column that holds the translation of each text, where the model is a translator; empty when there is none.",
        max_length=200,
        implied="",
    )
    near_copies: NearCopies = parameter(
        "kept",
        "Whether documents that share half of their six-word runs with other documents in are taken.",
        advanced=True,
        implied="kept",
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the columns, and the content of the file as it is now, wherever it lies."""
        identity = super().identity()
        return user_files.by_content(identity, lambda: user_files.content_of([self._path()]))

    def names_owners(self) -> bool:
        """Tell whether a column says whose the documents are."""
        return bool(self.owner_column)

    def load(self) -> MarkedDocuments:
        """Return the documents in the order of their rows.

        Raises:
            InvalidDocuments: The source cannot be read as documents with marks; the message says why.
        """
        return self.read().documents

    def read(self) -> ReadMarkedDocuments:
        """Return the documents in the order of their rows, and what was passed over.

        Raises:
            InvalidDocuments: As for `load`.
        """
        with columns.named_by({name: getattr(self, name) for name in _COLUMNS}):
            reading = self._read()
        if self.near_copies == "kept":
            return reading
        return replace(reading, documents=reading.documents.without_near_copies())

    def _read(self) -> ReadMarkedDocuments:
        path = self._path()
        user_files.check_size(path.name, user_files.size_of(path))
        first: dict[str, int] = {}
        documents: list[tuple[str, str, str, str, int, Mark]] = []
        rows = empty = long = repeated = 0
        for rows, (text, owner, label, translation, cell) in enumerate(self._rows(path), 1):
            mark = _mark(cell, f"Row {rows:,} of {path.name}", self.member_column)
            if max(len(text), len(translation)) > LONGEST:
                long += 1
            elif "\0" in text or "\0" in translation:
                raise InvalidDocuments(f"Row {rows:,} of {path.name} holds a NUL character: it is no text.")
            elif not (words := words_of(text)) or (self.translation_column and not translation.strip()):
                empty += 1
            elif (row := first.setdefault(" ".join(words), len(documents))) < len(documents):
                repeated += 1
                if {mark, documents[row][-1]} == {"in", "out"}:
                    raise InvalidDocuments(
                        f"Row {rows:,} of {path.name} has the words of a row above, and one is marked in, the other "
                        "out. Mark both in, or remove them."
                    )
            else:
                documents.append((text, owner, label, translation, rows, mark))
        user_files.refuse_without_rows(path.name, rows)
        columned = zip(*documents, strict=True) if documents else ((),) * 6
        texts, owners, labels, translations, numbers, members = columned
        named, classed = (owners if self.owner_column else ()), (labels if self.label_column else ())
        translated = translations if self.translation_column else ()
        marked = MarkedDocuments(texts, named, classed, members=members, translations=translated, numbers=numbers)
        return ReadMarkedDocuments(marked, rows, empty, long, repeated)

    def _rows(self, path: Path) -> Iterator[tuple[str, str, str, str, str]]:
        """Yield text, owner, class, translation and mark of each row; what no column names is empty."""
        size = count = 0
        row_owners, row_labels = self._column(path, self.owner_column), self._column(path, self.label_column)
        row_translations = self._column(path, self.translation_column)
        for texts, marks in parsing.batches(path, self.text_column, self.member_column):
            user_files.check_size(path.name, size := size + max(texts.nbytes, 1))
            if (count := count + len(texts)) > MOST:
                raise TooManyDocuments(f"{path.name} has more than {MOST:,} rows. Take a part of it.")
            for text, mark in zip(texts.to_pylist(), marks.to_pylist(), strict=True):
                yield text, next(row_owners), next(row_labels).strip(), next(row_translations), mark

    def _column(self, path: Path, column: str) -> Iterator[str]:
        """Yield the cell of each row in a column, empty ones without end where none is named."""
        if not column:
            yield from repeat("")
        for _, cells in parsing.batches(path, self.text_column, column):
            yield from cells.to_pylist()

    def _path(self) -> Path:
        if not self.source.strip():
            raise InvalidDocuments(
                "No documents are given. Set 'source' to a .csv, .tsv, .jsonl or .parquet file whose column "
                f"{self.member_column!r} says in or out."
            )
        path = user_files.located(self.source)
        if path.is_dir() or not path.name.lower().endswith(ENDINGS):
            raise InvalidDocuments(
                f"{path.name} is no table of documents with marks. Give one file of the kinds {', '.join(ENDINGS)}."
            )
        if not self.member_column.strip():
            raise InvalidDocuments(
                "No column of marks is named. Set 'member_column' to the column that says in or out."
            )
        return path


def _mark(cell: str, where: str, column: str) -> Mark:
    mark = _MARKS.get(cell.strip().lower())
    if mark is None:
        raise InvalidDocuments(
            f"{where} must say in, out or nothing in the column {column!r}. It holds {cell_in_words(cell)}."
        )
    return mark
