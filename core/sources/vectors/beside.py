"""A table of texts beside vectors that have none: one row for each, in the same order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors import opened
from core.sources.vectors.stored import Columns, Streamed


def fields(path: Path, columns: Columns, rows: NDArray[np.int64], count: int) -> dict[str, list[str]]:
    """Return texts, ids, owners and labels of some rows of a table.

    Args:
        path: The table: CSV, JSON lines, Parquet or Arrow.
        columns: Names of its columns.
        rows: Numbers of the rows, rising.
        count: Number of the vectors.

    Raises:
        InvalidVectors: It is no table of texts, or has more or fewer rows than there are vectors.
    """
    table = opened(path, replace(columns, vector=None))
    if not isinstance(table, Streamed):
        raise InvalidVectors(f"{path.name} is no table of texts: give CSV, JSON lines, Parquet or Arrow.")
    if table.count != count:
        raise InvalidVectors(
            f"{path.name} has {table.count:,} texts for {count:,} vectors. One row is needed for each vector, in the "
            "same order; leave the cell empty where a text is missing."
        )
    values = dict(table.take(rows).fields)
    if "text" not in values:
        raise InvalidVectors(
            f"{path.name} has no column {columns.text!r}. Set 'text_column' to the column of the texts."
        )
    return values
