"""Rows, columns and CSV of tables as plain Python values."""

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

import pandas as pd

from dashboard.kit.shared import once

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@once
def records(frame: pd.DataFrame) -> list[Any]:
    """Return the rows with the columns as attributes.

    >>> [row.size for row in records(pd.DataFrame({"size": [1, 10]}))]
    [1, 10]
    """
    row = _row(tuple(map(str, frame.columns)))
    return [row(*values) for values in frame.to_numpy(object).tolist()]


@lru_cache(256)
def _row(columns: tuple[str, ...]) -> type[Any]:
    """Return the type of the rows of a table; `DataFrame.itertuples` makes one anew for each table."""
    return namedtuple("Row", columns, rename=True)


@once
def where(frame: pd.DataFrame, column: str, value: Any) -> pd.DataFrame:
    """Return the rows that hold a value in a column; those of a shared table are shared, too."""
    rows: pd.DataFrame = frame[frame[column] == value]
    return rows


def from_on(rows: Sequence[Any], holds: Callable[[Any], bool]) -> Any:
    """Return the first row from which on something holds for every row; None if it does not for the last."""
    held = list(takewhile(holds, reversed(rows)))
    return held[-1] if held else None


def growing(rows: Sequence[Mapping[str, Any]], texts: Sequence[str], numbers: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a run in progress as a table; absent numbers become NaN."""
    frame = pd.DataFrame(list(rows), columns=[*texts, *numbers])
    return frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce") for name in numbers})


def by_size(frame: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield each target size with its rows, the smallest first."""
    for size in sorted({int(size) for size in frame["size"]}):
        yield size, frame[frame["size"] == size]


def values(column: "pd.Series[Any]") -> list[Any]:
    """Return a column as plain numbers or texts."""
    return list(column.tolist())


def csv(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV in which a spreadsheet takes no text for a formula; numbers stay unchanged.

    >>> csv(pd.DataFrame({"word": ["=1+1", "-", "a=b"], "weight": [-0.5, 1.0, 2.0]})).decode().splitlines()
    ['word,weight', "'=1+1,-0.5", "'-,1.0", 'a=b,2.0']
    """
    texts = frame.select_dtypes(exclude=["number", "bool"])
    inert = frame.assign(**{str(name): texts[name].astype(object).map(_inert) for name in texts})
    # With this line end, that of RFC 4180, a lone carriage return is quoted too and begins no row.
    return inert.rename(columns=_inert).to_csv(index=False, lineterminator="\r\n").encode()


def _inert(cell: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would take for a formula."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
