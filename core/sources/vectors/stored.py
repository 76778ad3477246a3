"""Stored vectors that stay where they are: rows are read on request."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors, cell_in_words, no_column, offered
from core.sources.user_files import LARGEST

ROWS_AT_ONCE = 4096
"""Most rows that are in memory while a store is read through."""

USUAL = ("embedding", "vector", "embeddings", "vectors")
"""Names that columns of vectors usually have."""


@dataclass(frozen=True)
class Columns:
    """Names of the columns of a table, or of the fields beside each vector; empty where there is none.

    Attributes:
        vector: The vectors, or what the names of one column a dimension begin with; empty for one of `USUAL`, None
            where only what stands beside vectors is wanted.
        text: The texts.
        id: What names a row.
        owner: Whose each text is.
        label: The class of each text.
        collection: Collection or table, where a store keeps several.
        texts_by: The parameter that names the column of the texts, for messages.
    """

    vector: str | None = ""
    text: str = "text"
    id: str = "id"
    owner: str = ""
    label: str = ""
    collection: str = ""
    texts_by: str = "text_column"

    def vector_of(self, names: Sequence[str], where: str) -> str:
        """Return the column of vectors: the named one, one with a usual name, or the only one there is.

        Raises:
            InvalidVectors: There is none, or more than one could be meant.
        """
        if self.vector and self.vector not in names:
            raise InvalidVectors(no_column(where, self.vector, names, "vector_column"))
        wanted = [self.vector] if self.vector else [*USUAL, *(names if len(names) == 1 else ())]
        for name in wanted:
            if name in names:
                return name
        raise InvalidVectors(
            f"{where} has no column of vectors named {' or '.join(map(repr, wanted))}. Set 'vector_column' to "
            f"the column that holds them. {offered([name[:60] for name in names[:30]])}"
        )

    def dimensions(self, names: Sequence[str], where: str) -> list[str]:
        """Return the column of vectors, or those of one column a dimension, in the order of their numbers.

        >>> Columns("e").dimensions(["id", "e_10", "e_9"], "x")
        ['e_9', 'e_10']

        Raises:
            InvalidVectors: There are none.
        """
        if self.vector is None:
            return []
        for stem in [self.vector] if self.vector else USUAL:
            numbered_column = re.compile(re.escape(stem) + r"[_.]?(\d+)")
            numbered = {int(match[1]): name for name in names if (match := numbered_column.fullmatch(name))}
            if stem not in names and len(numbered) > 1:
                return [numbered[number] for number in sorted(numbered)]
        return [self.vector_of(names, where)]

    def fields(self, names: Sequence[str], where: str) -> dict[str, str]:
        """Return which columns hold texts, ids, owners and labels.

        Columns named ``text`` and ``id`` need not exist, but in a table of texts ``text`` must; others that are named
        must, too.

        Raises:
            InvalidVectors: A named column does not exist.
        """
        roles = {"text": self.text, "id": self.id, "owner": self.owner, "label": self.label}
        columns = {role: name for role, name in roles.items() if name in names}
        if self.vector is None and "text" not in columns:
            raise InvalidVectors(no_column(where, self.text, names, self.texts_by))
        for role, name in roles.items():
            if name and role not in columns and name != role:
                parameter = self.texts_by if role == "text" else f"{role}_column"
                raise InvalidVectors(no_column(where, name, names, parameter))
        return columns


@dataclass(frozen=True)
class Rows:
    """Some rows of a store.

    Attributes:
        numbers: (rows, columns) the numbers as they are stored.
        fields: A value a row of each of ``text``, ``id``, ``owner`` and ``label`` that the store has.
    """

    numbers: NDArray[Any]
    fields: Mapping[str, list[str]] = field(default_factory=dict)


class Stored(ABC):
    """Vectors in a file or folder, none of them in memory.

    Attributes:
        described: What the store is, in words.
        metric: How the store compares vectors, in its own words; empty where it does not say.
    """

    described: str
    metric: str = ""

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of vectors."""

    @abstractmethod
    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Return some rows, given in rising order.

        Raises:
            InvalidVectors: They cannot be read.
        """

    @abstractmethod
    def blocks(self) -> Iterator[NDArray[Any]]:
        """Yield all numbers as they are stored, (some rows, columns), a few megabytes at a time.

        Raises:
            InvalidVectors: They cannot be read.
        """


class Gathered(Stored):
    """A store that can read any row at once."""

    @abstractmethod
    def gather(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return the numbers of some rows, (rows, columns)."""

    def fields(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """Return texts, ids, owners and labels of some rows, by role; none unless a store keeps them."""
        return {}

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Return some rows."""
        return Rows(self.gather(rows), self.fields(rows))

    def blocks(self) -> Iterator[NDArray[Any]]:
        """Yield all numbers."""
        for start in range(0, self.count, ROWS_AT_ONCE):
            yield self.gather(np.arange(start, min(start + ROWS_AT_ONCE, self.count)))


class Mapped(Gathered):
    """An array on disk, mapped into memory."""

    def __init__(self, array: NDArray[Any], described: str) -> None:
        self._array, self.described = array, f"{array.dtype}, {described}"

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._array)

    def gather(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return a copy of some rows."""
        return np.asarray(self._array[rows])


class Streamed(Stored):
    """A store that is read from its beginning."""

    @abstractmethod
    def pieces(self) -> Iterator[Rows]:
        """Yield all rows in order, at most `ROWS_AT_ONCE` at a time."""

    def blocks(self) -> Iterator[NDArray[Any]]:
        """Yield all numbers."""
        for piece in self.pieces():
            yield piece.numbers

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Return some rows; the store is read through once."""
        numbers: list[NDArray[Any]] = []
        fields: dict[str, list[str]] = {}
        start = size = 0
        for piece in self.pieces():
            end = start + len(piece.numbers)
            here = rows[np.searchsorted(rows, start) : np.searchsorted(rows, end)] - start
            if len(here):
                numbers.append(piece.numbers[here])
                for role, values in piece.fields.items():
                    fields.setdefault(role, []).extend(values[row] for row in here)
                    size += sum(len(values[row]) for row in here)
                if size > LARGEST:
                    raise InvalidVectors(
                        f"What stands beside {len(rows):,} vectors has more than {LARGEST:,} characters. Cut the "
                        "texts, or take a smaller sample."
                    )
            start = end
        return Rows(np.concatenate(numbers) if numbers else np.empty((0, 0), np.float32), fields)


def stacked(rows: Sequence[Any], first: int, where: str, width: int) -> NDArray[np.float32]:
    """Return rows of numbers as one array.

    Args:
        rows: A list of numbers each.
        first: Number of the first row, for messages.
        where: What messages call the file.
        width: Numbers that each row must have; 0 for as many as the first has.

    Raises:
        InvalidVectors: A row is no list of numbers, or has another length.
    """
    for number, row in enumerate(rows, first):
        if not isinstance(row, list | tuple | np.ndarray):
            raise InvalidVectors(f"Row {number + 1:,} of {where} holds no vector: {cell_in_words(str(row))}.")
        width = width or len(row)
        if len(row) != width:
            raise differing(where, number, len(row), width)
    try:
        return np.asarray(rows, np.float32).reshape(len(rows), width)
    except (TypeError, ValueError):
        raise InvalidVectors(
            f"Rows {first + 1:,} to {first + len(rows):,} of {where} hold more than numbers."
        ) from None


def of_points(
    groups: Iterable[Sequence[tuple[Any, Any, Mapping[str, Any]]]], columns: Columns, where: str
) -> Iterator[Rows]:
    """Yield the points of a vector store as rows: id, vector or several by name, and payload of each.

    Raises:
        InvalidVectors: There is no such field or vector, or vectors differ in length.
    """
    start = width = 0
    fields: dict[str, str] | None = None
    for points in groups:
        ids, vectors, loads = zip(*points, strict=True)
        if fields is None:
            fields = columns.fields(["id", *loads[0]], where)
        chosen = [
            vector[columns.vector_of(list(vector), f"A point of {where}")] if isinstance(vector, dict) else vector
            for vector in vectors
        ]
        numbers = stacked(chosen, start, where, width)
        width, start = numbers.shape[1], start + len(points)
        values = {role: [str(load.get(name, "")) for load in loads] for role, name in fields.items()}
        yield Rows(numbers, {**values, "id": [str(one) for one in ids]})


def differing(where: str, row: int, length: int, width: int) -> InvalidVectors:
    """Return the error for a row that is longer or shorter than the first."""
    return InvalidVectors(
        f"The vectors of {where} differ in length: row {row + 1:,} has {length:,} numbers, the first row {width:,}. "
        "Keep vectors of different encoders in files of their own."
    )


def grouped(rows: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield rows in groups of at most `ROWS_AT_ONCE`."""
    while group := tuple(islice(rows, ROWS_AT_ONCE)):
        yield group
