"""NumPy files: one array of (rows, numbers), mapped into memory and never unpickled."""

import zipfile
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors.stored import Columns, Mapped, Stored

NAME = "NumPy (.npy, .npz)"
_LARGEST_UNPACKED = 1_000_000_000
_MALFORMED = (
    *(ArithmeticError, EOFError, LookupError, MemoryError, OSError, RuntimeError, SyntaxError, TypeError, ValueError),
    *(TokenError, zipfile.BadZipFile, zlib.error),
)
"""What NumPy and zipfile raise on headers that lie or cannot be read."""


def recognises(path: Path) -> bool:
    """Tell by the name."""
    return path.is_file() and path.suffix.lower() in (".npy", ".npz")


def opened(path: Path, columns: Columns) -> Stored:
    """Return the array of a .npy file, or of the named or only matrix of a .npz file.

    Raises:
        InvalidVectors: It is no such file, holds Python objects, or no matrix of numbers.
    """
    if path.stat().st_size == 0:
        raise InvalidVectors(f"{path.name} is empty. Write it by numpy.save with a float array.")
    try:
        with np.errstate(over="raise"):  # of a shape that no file can have
            array = (
                _unpacked(path, columns)
                if path.suffix.lower() == ".npz"
                else np.load(path, mmap_mode="r", allow_pickle=False)
            )
    except _MALFORMED as error:
        if isinstance(error, InvalidVectors):
            raise
        why = "" if "pickle" in str(error) else f" ({str(error)[:120]})"
        raise InvalidVectors(
            f"{path.name} is no NumPy file of numbers{why}. Pickles and arrays of Python objects are never loaded; "
            "write it by numpy.save with a float array."
        ) from None
    return Mapped(matrix(array, path.name), "NumPy file")


def matrix(array: NDArray[Any], where: str) -> NDArray[Any]:
    """Return an array if it is a matrix of numbers.

    Raises:
        InvalidVectors: It has another number of axes, or holds something else.
    """
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InvalidVectors(
            f"{where} must hold one array of (rows, numbers). It holds {array.dtype} of the shape {array.shape}."
        )
    return array


def _unpacked(path: Path, columns: Columns) -> NDArray[Any]:
    """Return one array of a .npz file, which is read into memory."""
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
        names = [member.filename.removesuffix(".npy") for member in archive.infolist()]
    if size > _LARGEST_UNPACKED:
        raise InvalidVectors(
            f"{path.name} unpacks to {size:,} bytes. At most {_LARGEST_UNPACKED:,} are unpacked; save it as .npy, "
            "which is mapped and may have any size."
        )
    chosen = columns.vector_of(names, path.name)
    with np.load(path, allow_pickle=False) as arrays:
        return np.asarray(arrays[chosen])
