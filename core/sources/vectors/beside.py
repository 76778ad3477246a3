"""A table of texts beside vectors that have none: one row for each, in the same order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors import opened
from core.sources.vectors.stored import Columns, Streamed

_MOST_QUERIES = 1000
"""Queries that are read of a table, the first ones."""


def fields(path: Path, columns: Columns, rows: NDArray[np.int64], count: int) -> dict[str, list[str]]:
    """Return texts, ids, owners and labels of some rows of a table, in rising order.

    Raises:
        InvalidVectors: It is no table of texts, or has more or fewer rows than there are vectors.
    """
    table = _table(path, columns)
    if table.count != count:
        raise InvalidVectors(
            f"{path.name} has {table.count:,} texts for {count:,} vectors. One row is needed for each vector, in the "
            "same order; leave the cell empty where a text is missing."
        )
    return dict(table.take(rows).fields)


def queries(path: Path, columns: Columns, column: str) -> tuple[str, ...]:
    """Return the texts of a table, each once, empty ones left out: what a store is searched for.

    The table is CSV, JSON lines, Parquet or Arrow. Its texts stand in ``column``, and not in the column of texts that
    ``columns`` names for the table beside the vectors.

    Raises:
        InvalidVectors: It is no table of texts, or has none.
    """
    columns = replace(columns, text=column, owner="", label="", texts_by="query_column")
    table = _table(path, columns)
    rows = np.arange(min(table.count, _MOST_QUERIES))
    texts = tuple(dict.fromkeys(filter(str.strip, table.take(rows).fields["text"])))
    if not texts:
        raise InvalidVectors(f"{path.name} has no query: its column {columns.text!r} is empty in every row.")
    return texts


def _table(path: Path, columns: Columns) -> Streamed:
    table = opened(path, replace(columns, vector=None))
    if not isinstance(table, Streamed):
        raise InvalidVectors(f"{path.name} is no table of texts: give CSV, JSON lines, Parquet or Arrow.")
    return table
