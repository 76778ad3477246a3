"""FAISS index files that keep whole vectors: flat, IVF-flat, HNSW and scalar-quantised, with or without own ids.

The file is parsed here and mapped into memory. FAISS is not needed. Before anything is read, the sizes that a file
announces are checked against the bytes that it has. Layout: ``faiss/impl/index_write.cpp``.
"""

import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.vectors.stored import Columns, Gathered, Stored

NAME = "FAISS index (.faiss, .index)"

_FLAT, _IVF, _HNSW = ("IxFI", "IxF2", "IxFl"), ("IwFl",), ("IHNf", "IHNs")
_SQ, _IDS = ("IxSQ",), ("IxMp", "IxM2")
_METRICS = {0: "inner product", 1: "L2"}
_MOST = 1 << 24
"""Most dimensions, and lists of an inverted file."""


def recognises(path: Path) -> bool:
    """Tell by the name or by the first four bytes."""
    if not path.is_file():
        return False
    if path.suffix.lower() in (".faiss", ".index"):
        return True
    with path.open("rb") as file:
        return file.read(4).decode("latin-1") in {*_FLAT, *_IVF, *_HNSW, *_SQ, *_IDS}


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of an index.

    Raises:
        InvalidVectors: It keeps no whole vectors, is damaged, or has fewer bytes than it says.
    """
    if path.stat().st_size < 4:
        raise InvalidVectors(f"{path.name} is no FAISS index: it has {path.stat().st_size} bytes.")
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return _Index(_Parser(content, path.name).index(), content)


@dataclass(frozen=True)
class _Layout:
    """Where the vectors of an index lie, and how it compares them.

    Each has its first byte in ``offsets``, (vectors,), and takes ``size`` bytes, which ``decoded`` turns into numbers.
    Their ids, (vectors,), are the index's own; where there are none, the position is the id.
    """

    title: str
    metric: str
    offsets: NDArray[np.int64]
    size: int
    decoded: Callable[[NDArray[np.uint8]], NDArray[Any]]
    ids: NDArray[np.int64] | None = None


class _Index(Gathered):
    def __init__(self, layout: _Layout, content: mmap.mmap) -> None:
        self._layout, self._content = layout, content
        self.described, self.metric = layout.title, layout.metric

    @property
    def count(self) -> int:
        return len(self._layout.offsets)

    def gather(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        size = self._layout.size
        codes = b"".join(self._content[offset : offset + size] for offset in self._layout.offsets[rows].tolist())
        return self._layout.decoded(np.frombuffer(codes, np.uint8).reshape(len(rows), size))

    def fields(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        ids = rows if self._layout.ids is None else self._layout.ids[rows]
        return {"id": [str(one) for one in ids.tolist()]}


class _Parser:
    """Reads an index from its first byte on; a count is refused if the file is too small for it."""

    def __init__(self, content: mmap.mmap, name: str) -> None:
        self._content, self._name, self._at = content, name, 0

    def index(self) -> _Layout:
        kind = self._bytes(4).decode("latin-1")
        if kind not in {*_FLAT, *_IVF, *_HNSW, *_SQ, *_IDS}:
            raise InvalidVectors(
                f"{self._name} is a FAISS index of the kind {kind!r}, or none. Flat, IVF-flat, HNSW and SQ8 indexes "
                "are read, with or without ids; product quantisers keep no whole vectors: reconstruct them first."
            )
        dimension, count, metric = self._header()
        if kind in _FLAT:
            return self._flat(dimension, count, metric)
        if kind in _SQ:
            return self._quantised(dimension, count, metric)
        if kind in _IVF:
            return self._inverted(dimension, count, metric)
        if kind in _HNSW:
            for size in (8, 4, 4, 8, 4):  # probabilities, neighbours by level, levels, offsets, neighbours
                self._array(size)
            self._bytes(5 * 4)
            below = self.index()
            return replace(below, title=f"{below.title} under HNSW")
        below = self.index()
        ids = np.frombuffer(self._array(8), np.int64)
        if len(ids) != len(below.offsets):
            raise self._lies(f"{len(ids):,} ids", f"{len(below.offsets):,} vectors")
        return replace(below, ids=ids)

    def _header(self) -> tuple[int, int, str]:
        dimension, count, _, _, _, metric = struct.unpack("<iqqq?i", self._bytes(33))
        if metric > 1:
            self._bytes(4)
        if not 0 < dimension < _MOST or count < 0:
            raise self._lies(f"{dimension:,} dimensions and {count:,} vectors", "impossible numbers")
        return dimension, count, _METRICS.get(metric, f"metric {metric}")

    def _flat(self, dimension: int, count: int, metric: str) -> _Layout:
        return self._codes("float32, FAISS flat index", metric, count, 4 * dimension, 4, _floats(np.float32))

    def _quantised(self, dimension: int, count: int, metric: str) -> _Layout:
        kind, _, _, inner, size = struct.unpack("<iifQQ", self._bytes(28))
        trained = np.frombuffer(self._array(4), np.float32)
        decoders: dict[int, tuple[str, int, Callable[[NDArray[np.uint8]], NDArray[Any]]]] = {
            4: ("float16", 2, _floats(np.float16)),
            5: ("8 bits direct", 1, lambda codes: codes.astype(np.float32)),
        }
        if kind in (0, 2) and len(trained) == 2 * (dimension if kind == 0 else 1):
            low, width = trained.reshape(2, -1)
            decoders[kind] = ("8 bits", 1, lambda codes: low + (codes.astype(np.float32) + 0.5) / 255 * width)
        if kind not in decoders or inner != dimension or size != decoders[kind][1] * dimension:
            raise InvalidVectors(
                f"{self._name} has a scalar quantiser of the kind {kind}, or one that does not fit {dimension:,} "
                "dimensions. Those of 8 bits and float16 are read."
            )
        title, _, decoded = decoders[kind]
        return self._codes(f"{title}, FAISS scalar quantiser", metric, count, size, 1, decoded)

    def _codes(
        self, title: str, metric: str, count: int, size: int, unit: int, decoded: Callable[[Any], NDArray[Any]]
    ) -> _Layout:
        """Return the layout of codes that follow here, after their number in units of some bytes."""
        (units,) = struct.unpack("<Q", self._bytes(8))
        if units * unit != count * size:
            raise self._lies(f"{count:,} vectors of {size:,} bytes", f"{units * unit:,} bytes for them")
        start = self._at
        self._skip(units * unit)
        return _Layout(title, metric, start + size * np.arange(count, dtype=np.int64), size, decoded)

    def _inverted(self, dimension: int, count: int, metric: str) -> _Layout:
        lists, _ = struct.unpack("<QQ", self._bytes(16))
        self.index()  # the coarse quantiser
        (mapped,) = struct.unpack("<b", self._bytes(1))
        self._array(8)
        if mapped == 2:
            self._array(16)
        kind = self._bytes(4)
        number, size = struct.unpack("<QQ", self._bytes(16))
        if kind != b"ilar" or number != lists or lists > _MOST or size != 4 * dimension:
            raise self._lies(f"{lists:,} lists of {dimension:,} dimensions", f"{number:,} of {size:,} bytes a vector")
        sizes = self._list_sizes(lists)
        if int(sizes.sum()) != count:
            raise self._lies(f"{count:,} vectors", f"{int(sizes.sum()):,} in its lists")
        offsets, ids = [], []
        for length in sizes.tolist():
            start = self._at
            self._skip(length * size)
            offsets.append(start + size * np.arange(length, dtype=np.int64))
            ids.append(np.frombuffer(self._bytes(8 * length), np.int64))
        every, starts = np.concatenate([*ids, np.empty(0, np.int64)]), np.concatenate([*offsets, np.empty(0, np.int64)])
        order = np.argsort(every, kind="stable")
        title = "float32, FAISS IVF-flat index"
        return _Layout(title, metric, starts[order], size, _floats(np.float32), every[order])

    def _list_sizes(self, lists: int) -> NDArray[np.int64]:
        kind, values = self._bytes(4), np.frombuffer(self._array(8), np.int64)
        sizes = np.zeros(lists, np.int64)
        if kind == b"full" and len(values) == lists:
            sizes[:] = values
        elif kind == b"sprs" and len(values) % 2 == 0 and (values[::2] < lists).all() and (values >= 0).all():
            sizes[values[::2]] = values[1::2]
        else:
            raise self._lies(f"{lists:,} lists", f"sizes of {len(values):,} of the kind {kind!r}")
        if (sizes < 0).any() or (sizes > len(self._content)).any():
            raise self._lies("lists", "impossible sizes")
        return sizes

    def _array(self, size: int) -> bytes:
        """Return the bytes of an array that follows its number of items."""
        (count,) = struct.unpack("<Q", self._bytes(8))
        return self._bytes(count * size)

    def _bytes(self, count: int) -> bytes:
        start = self._at
        self._skip(count)
        return self._content[start : self._at]

    def _skip(self, count: int) -> None:
        if count > len(self._content) - self._at:
            raise self._lies(f"{count:,} bytes more", f"{len(self._content) - self._at:,}")
        self._at += count

    def _lies(self, announced: str, present: str) -> InvalidVectors:
        return InvalidVectors(
            f"{self._name} is damaged, or no FAISS index: it announces {announced} and has {present}. Write it again "
            "by faiss.write_index."
        )


def _floats(kind: type[np.floating[Any]]) -> Callable[[NDArray[np.uint8]], NDArray[Any]]:
    return lambda codes: codes.view(kind)
