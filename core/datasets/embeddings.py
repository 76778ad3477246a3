"""Vectors of the user's own: a file, an index or the folder of a vector store, read where it lies."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.datasets import Card, Dataset
from core.errors import InvalidDocuments, InvalidVectors
from core.runtime.seeding import generator
from core.sources import user_files
from core.sources.vectors import beside, opened
from core.sources.vectors.decoding import Decoding
from core.sources.vectors.stored import Columns, Stored
from core.spec import parameter, path_parameter
from core.statistics.unit_length import scaled
from core.text.vectors import Vectors

_DRAWN_AT_ONCE = 100_000


class Embeddings(Dataset):
    """Vectors of your own, with texts, ids, owners and labels where you have them; nothing is copied or unpickled.

    Parquet and Arrow files (a column of lists, or one column a dimension), JSON lines, CSV (``[0.1,0.2]`` as pgvector
    writes it, or one column a dimension), NumPy and safetensors files, FAISS indexes that keep whole vectors, and the
    folders of Chroma, Qdrant's local mode and LanceDB are read. Where a file has vectors only, ``texts`` names a table
    with a row for each, in the same order.

    A random sample is read, however many there are: arrays and indexes are mapped into memory, tables are read through.
    Where rows are added at the end, members of the sample leave it only for new ones. Vectors with a number that is not
    finite are left out and counted.

    A store that has grown since it was audited need not be audited from the beginning: with ``grown_from``, games split
    its earlier rows as they did then, so that the adversary stays the same, and draw the vectors that are read from all
    rows.

    Whole numbers are codes: ``scale`` and ``zero`` turn them back into coordinates, and where ``packed`` is set each
    byte holds the signs of eight.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "Your own vectors"
    holds: ClassVar[type] = Vectors
    card: ClassVar[Card] = Card.own(
        "Embeddings that you store: a table, an array, a FAISS index, or the folder of a vector store."
    )

    source: str = path_parameter("", "Path of the file or folder with the vectors, where Telltale runs.")
    texts: str = path_parameter(
        "",
        "Path of a CSV, JSON lines, Parquet or Arrow table with the text of each vector, in the same order; empty "
        "where the vectors’ own file has them.",
    )
    queries: str = path_parameter(
        "",
        "Path of a CSV, JSON lines, Parquet or Arrow table with texts that you search for, by which retrieval is "
        "measured; empty to search for the stored vectors.",
    )
    vector_column: str = parameter(
        "",
        "Column that holds the vectors, or what the names of one column a dimension begin with; empty for embedding, "
        "vector, or the only one.",
        max_length=200,
    )
    text_column: str = parameter("text", "Column that holds the texts.", max_length=200)
    query_column: str = parameter(
        "", "Column that holds the queries; empty where it is named as that of the texts.", max_length=200, implied=""
    )
    id_column: str = parameter("id", "Column that names each row.", max_length=200)
    owner_column: str = parameter("", "Column that says whose each text is; empty for none.", max_length=200)
    label_column: str = parameter("", "Column with the class of each text; empty for none.", max_length=200)
    collection: str = parameter(
        "", "Collection or table, where a store keeps several.", max_length=200, label="Collection"
    )
    scale: float = parameter(
        0.0,
        "What one step of a whole number is worth; 0 where the vectors are floating point. 1 will do where only their "
        "directions matter.",
        ge=0,
        le=1e9,
        advanced=True,
    )
    zero: int = parameter(
        0, "The whole number that stands for 0, for example 128 for bytes.", ge=-128, le=255, advanced=True
    )
    storage: Literal["numbers", "bits"] = parameter(
        "numbers", "Whether each number is a coordinate, or a byte with the signs of eight.", advanced=True
    )
    length: Literal["as stored", "one"] = parameter(
        "as stored",
        "Whether vectors are scaled to length one when they are read, as where all have another length in common.",
        advanced=True,
        implied="as stored",
    )
    sample: int = parameter(10_000, "Most vectors that are read, drawn at random.", unit="vectors", ge=1, le=1_000_000)
    sample_seed: int = parameter(0, "Seed of that draw.", ge=0, le=2**31 - 1, advanced=True)
    grown_from: int = parameter(
        0,
        "Rows that the store had when it was audited before, at its beginning; 0 for one that is audited afresh.",
        unit="rows",
        ge=0,
        le=10**12,
        advanced=True,
        implied=0,
    )

    @field_validator("scale", mode="before")
    @classmethod
    def _is_worth_something(cls, scale: object) -> object:
        if isinstance(scale, int | float) and scale < 0:
            raise ValueError("above 0, such as 1 where only directions matter")
        return scale

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields and the content of the files as they are now."""
        try:
            named = (self.source, self.texts, self.queries)
            paths = [user_files.located(source) for source in named if source]
            content = user_files.content_of([file for path in paths for file in _files(path)])
        except (InvalidDocuments, OSError):
            content = "none"
        fields = super().identity()
        if self.grown_from:
            fields["kept"] = ("adversary", "defenses", "suspects", "comparison")
        if self.queries:
            fields["searched"] = True
        del fields["source"], fields["texts"], fields["queries"]  # another path with the same content is the same data
        return {**fields, "content": content, "texts": bool(self.texts)}

    def stored(self) -> Stored:
        """Return the store, unread.

        Raises:
            InvalidVectors: It is in no known format, or cannot be read.
        """
        if not self.source.strip():
            raise InvalidVectors("No vectors are given. Set 'source' to a file or folder with vectors.")
        return opened(_located(self.source), self.columns)

    def decoding(self) -> Decoding:
        """Return how stored numbers become coordinates."""
        return Decoding(self.scale, self.zero, packed=self.storage == "bits")

    def load(self) -> Vectors:
        """Return the sample, in the order of the store.

        Raises:
            InvalidVectors: The store cannot be read as vectors; the message says why and what would do.
        """
        stored = self.stored()
        count = stored.count
        if self.grown_from > count:
            raise InvalidVectors(
                f"The store has {count:,} rows, fewer than it is said to have grown from. Got {self.grown_from:,} for "
                "'grown_from'; set it to 0 to audit the store afresh."
            )
        rows, earlier = self._drawn(count), self._drawn(self.grown_from)
        displaced = np.setdiff1d(earlier, rows)
        rows = np.union1d(rows, displaced)
        drawn = stored.take(rows)
        fields = dict(drawn.fields)
        if self.texts:
            fields |= beside.fields(_located(self.texts), self.columns, rows, count)
        values = self.decoding()(drawn.numbers, stored.described)
        if self.length == "one":
            values = scaled(values)
        finite = np.flatnonzero(np.isfinite(values).all(axis=1))
        if not len(finite):
            which = "vectors" if len(rows) == count else f"vectors of a random sample of {count:,}"
            raise InvalidVectors(
                f"All {len(rows):,} {which} are not finite: each has a number that is NaN or infinite. Embed the texts "
                "again, as float32 where these were of 16 bits."
            )
        texts, ids, owners, labels = (
            tuple(fields[role][row] for row in finite) if role in fields else ()
            for role in ("text", "id", "owner", "label")
        )
        left_out = len(values) - len(finite)
        beside_them = (texts, ids, owners, labels)
        column = self.query_column or self.text_column
        queries = beside.queries(_located(self.queries), self.columns, column) if self.queries else ()
        grown = (self.grown_from, displaced)
        spoiled = np.setdiff1d(np.arange(len(values)), finite)
        spoiled_ids = tuple(fields["id"][row] for row in spoiled) if "id" in fields else ()
        read = (values[finite], rows[finite], count, left_out, stored.described)
        return Vectors(*read, *beside_them, *grown, queries, tuple(rows[spoiled].tolist()), spoiled_ids)

    def _drawn(self, count: int) -> NDArray[np.int64]:
        return _drawn(count, self.sample, generator(self.sample_seed, "sample of vectors"))

    @property
    def columns(self) -> Columns:
        """Names of what is read."""
        return Columns(
            self.vector_column,
            self.text_column,
            self.id_column,
            self.owner_column,
            self.label_column,
            self.collection,
        )


def _drawn(count: int, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random sample of rows, (most,) at most, in rising order.

    Each row draws a number, and the rows with the lowest numbers are the sample. A row keeps its number where rows are
    added after it, and so stays in the sample unless one of these displaces it.
    """
    rows, numbers = np.empty(0, np.int64), np.empty(0)
    for start in range(0, count, _DRAWN_AT_ONCE):
        fresh = np.arange(start, min(start + _DRAWN_AT_ONCE, count))
        rows, numbers = np.append(rows, fresh), np.append(numbers, rng.random(len(fresh)))
        if len(rows) > most:
            lowest = np.argpartition(numbers, most)[:most]
            rows, numbers = rows[lowest], numbers[lowest]
    return np.sort(rows)


def _located(source: str) -> Path:
    try:
        return user_files.located(source)
    except InvalidDocuments as error:
        raise InvalidVectors(str(error)) from None


def _files(path: Path) -> list[Path]:
    """Return a file itself, or all files of a folder but locks."""
    return (
        [path]
        if path.is_file()
        else sorted(file for file in path.rglob("*") if file.is_file() and file.name != ".lock")
    )
