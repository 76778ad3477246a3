"""Large files of a user as a stream of texts: tables, lines of JSON, Parquet and folders, a few megabytes at a time."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.corpora import parsing
from core.errors import InvalidDocuments
from core.sources import user_files

ENDINGS = (".csv", ".tsv", ".jsonl", ".csv.gz", ".tsv.gz", ".jsonl.gz", ".parquet")
"""What the names of tables end in."""

LONGEST = 131_072
"""Characters that a document may have; longer ones are passed over."""

PIECE = 8_000_000
"""Bytes of text that are tokenised at a time, roughly."""

MOST_UNPACKED = 100
"""Bytes of text that one byte of a file may unpack to, beyond what fits into memory."""

_MOST_FILES = 1_000_000
_LONGEST_BYTES = 4 * LONGEST + 4
"""Bytes of UTF-8 that are too many for any text."""


@dataclass(frozen=True)
class Piece:
    """Some texts of a source, with their owners where it names them.

    Attributes:
        number: Its position in the source; two pieces of one source are the same if their numbers are.
        texts: Arrow array of texts.
        owners: Arrow array of their owners, or None.
    """

    number: int
    texts: Any
    owners: Any

    def __eq__(self, other: object) -> bool:
        """Compare the numbers."""
        return isinstance(other, Piece) and self.number == other.number

    def __hash__(self) -> int:
        """Return a hash of the number."""
        return hash(self.number)


@dataclass(frozen=True)
class Source:
    """Files of documents, and the columns to read.

    Attributes:
        path: A folder of ``.txt`` files or of tables, or one table.
        text_column: Column that holds the texts.
        owner_column: Column that says whose each text is; empty when there is none.
    """

    path: Path
    text_column: str = "text"
    owner_column: str = ""

    def files(self) -> list[Path]:
        """Return the files in a fixed order, links left out: the ``.txt`` files of a folder, or else its tables.

        Raises:
            InvalidDocuments: There are none, too many, or they cannot be read.
        """
        if not self.path.is_dir():
            return [self.path]
        for wanted in (_is_text, _is_table):
            if files := list(_below(self.path, wanted)):
                return files
        raise InvalidDocuments(
            f"The folder {self.path.name} and those below it hold no .txt file, and no table ({', '.join(ENDINGS)})."
        )

    def digest(self) -> str:
        """Return the SHA-256 of the files' names and bytes."""
        return user_files.digest_of(self.files())

    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(user_files.size_of(file) for file in self.files())

    def is_nested(self) -> bool:
        """Tell whether the files lie in sub-folders, whose names are the owners of texts."""
        return self.path.is_dir() and any(file.parent != self.path for file in self.files())

    def pieces(self) -> Iterator[Piece]:
        """Yield the texts in pieces, which are the same each time.

        Raises:
            InvalidDocuments: A file cannot be read as documents; the message says why.
        """
        import pyarrow as pa

        texts, owners, size, number, total = [], [], 0, 0, 0
        most = max(user_files.LARGEST, MOST_UNPACKED * self.size())
        for batch, batch_owners in self._batches():
            if (total := total + batch.nbytes) > most:
                raise InvalidDocuments(
                    f"The texts of {self.path.name} take more than {MOST_UNPACKED} times the bytes of its files. "
                    "Write it without repetitions."
                )
            texts.append(batch)
            owners.append(batch_owners)
            size += batch.nbytes
            if size >= PIECE:
                yield Piece(number, pa.chunked_array(texts).combine_chunks(), _together(owners))
                texts, owners, size, number = [], [], 0, number + 1
        if texts:
            yield Piece(number, pa.chunked_array(texts).combine_chunks(), _together(owners))

    def _batches(self) -> Iterator[tuple[Any, Any]]:
        files = self.files()
        if files[0].suffix.lower() == ".txt":
            yield from self._written(files)
            return
        for file in files:
            yield from parsing.batches(file, self.text_column, self.owner_column)

    def _written(self, files: list[Path]) -> Iterator[tuple[Any, Any]]:
        """Yield the texts of files; where there are sub-folders, the owner is the name of a file's folder."""
        import pyarrow as pa

        nested = self.is_nested()
        for group in _grouped(files):
            texts = pa.array([_text(file) for file in group], pa.large_string())
            names = [os.fsencode(file.parent.name).decode(errors="replace") for file in group]
            yield texts, pa.array(names, pa.large_string()) if nested else None


def _grouped(files: list[Path]) -> Iterator[list[Path]]:
    """Yield files that are read at a time: few enough, and small enough together."""
    group: list[Path] = []
    size = 0
    for file in files:
        group.append(file)
        size += min(user_files.size_of(file), _LONGEST_BYTES)
        if size >= PIECE or len(group) == parsing.ROWS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _text(file: Path) -> str:
    """Return the text of a file; of one that is too long, only so much that it counts as too long."""
    if user_files.size_of(file) <= _LONGEST_BYTES:
        return user_files.decoded(file)
    with file.open("rb") as stream:
        return stream.read(_LONGEST_BYTES).decode(errors="replace")


def _together(owners: list[Any]) -> Any:
    import pyarrow as pa

    return None if owners[0] is None else pa.chunked_array(owners).combine_chunks()


def _is_text(name: str) -> bool:
    return name.endswith(".txt")


def _is_table(name: str) -> bool:
    return name.lower().endswith(ENDINGS)


def _below(folder: Path, wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Yield the files below a folder by the parts of their paths, without holding more than the folders above."""
    count = 0
    waiting = [iter(_entries(folder))]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif entry.is_dir(follow_symlinks=False):
            waiting.append(iter(_entries(Path(entry.path))))
        elif entry.is_file(follow_symlinks=False) and wanted(entry.name):
            if (count := count + 1) > _MOST_FILES:
                raise InvalidDocuments(
                    f"{folder.name} holds more than {_MOST_FILES:,} files. Put the texts into tables."
                )
            yield Path(entry.path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise InvalidDocuments(f"{folder.name} cannot be read: {error.strerror}.") from None
