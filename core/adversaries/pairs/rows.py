"""A matrix on disk with one row a shadow model, so that memory does not grow with their number."""

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.runtime.folders import writing
from core.runtime.store import Store


class Rows:
    """Rows of float32 in a scratch file that disappears with the process.

    Rows are written in any order; some columns of some rows are read at a time.
    """

    def __init__(self, store: Store, width: int) -> None:
        """Open a scratch file for rows of ``width`` numbers.

        Raises:
            StoreReadOnly: The folder of the store cannot be written.
        """
        self._store = store
        self._width = width
        self._file = store.scratch()

    def __enter__(self) -> Self:
        """Use the file."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self._file.close()

    def write(self, row: int, values: NDArray[np.float32]) -> None:
        """Write one whole row.

        Raises:
            StoreFull: No space is left.
        """
        left = np.ascontiguousarray(values, dtype=np.float32).data.cast("B")
        offset = 4 * self._width * row
        with writing(self._store.root):
            while left:  # a disk that is nearly full takes only a part, and fails at the next attempt
                written = os.pwrite(self._file.fileno(), left, offset)
                left, offset = left[written:], offset + written

    def read(self, rows: Sequence[int], columns: slice) -> NDArray[np.float32]:
        """Return the given columns of the given rows, (rows, columns)."""
        start, stop, _ = columns.indices(self._width)
        parts = [os.pread(self._file.fileno(), 4 * (stop - start), 4 * (self._width * row + start)) for row in rows]
        return np.frombuffer(b"".join(parts), dtype=np.float32).reshape(len(rows), stop - start)
