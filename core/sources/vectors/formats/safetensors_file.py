"""Safetensors files: the named or only matrix of a file, mapped into memory."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors.stored import Columns, Gathered, Stored

NAME = "safetensors"


def recognises(path: Path) -> bool:
    """Tell by the name."""
    return path.is_file() and path.suffix.lower() == ".safetensors"


def opened(path: Path, columns: Columns) -> Stored:
    """Return a matrix of the file.

    Raises:
        InvalidVectors: It is no such file, or has no such matrix.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as tensors:
            chosen = columns.vector_of(list(tensors.keys()), path.name)
            part = tensors.get_slice(chosen)
            shape, kind = part.get_shape(), part.get_dtype()
    except (SafetensorError, OSError) as error:
        raise InvalidVectors(f"{path.name} is no readable safetensors file: {str(error)[:120]}") from None
    if len(shape) != 2 or kind not in _KINDS:
        raise InvalidVectors(f"{path.name} must hold one matrix of numbers. It holds {kind} of the shape {shape}.")
    return _Tensor(path, chosen, shape[0], kind)


_KINDS = {"F64": "float64", "F32": "float32", "F16": "float16", "I8": "int8", "U8": "uint8"}


class _Tensor(Gathered):
    def __init__(self, path: Path, name: str, count: int, kind: str) -> None:
        self._path, self._name, self._count = path, name, count
        self.described = f"{_KINDS[kind]}, safetensors file"

    @property
    def count(self) -> int:
        return self._count

    def gather(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        from safetensors import safe_open

        with safe_open(self._path, framework="np") as tensors:
            part = tensors.get_slice(self._name)
            if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
                return np.asarray(part[int(rows[0]) : int(rows[-1]) + 1])
            return np.concatenate([np.asarray(part[int(row) : int(row) + 1]) for row in rows])
