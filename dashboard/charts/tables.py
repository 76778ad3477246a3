"""Walks through tables row by row and size by size, as plain Python values."""

from collections.abc import Iterator
from typing import Any

import pandas as pd


def records(frame: pd.DataFrame) -> list[Any]:
    """Return the rows with the columns as attributes.

    >>> [row.size for row in records(pd.DataFrame({"size": [1, 10]}))]
    [1, 10]
    """
    return list(frame.itertuples(index=False, name="Row"))


def by_size(frame: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield each target size with its rows, the smallest first."""
    for size in sorted({int(size) for size in frame["size"]}):
        yield size, frame[frame["size"] == size]


def values(column: "pd.Series[Any]") -> list[Any]:
    """Return a column as plain numbers or texts."""
    return list(column.tolist())
