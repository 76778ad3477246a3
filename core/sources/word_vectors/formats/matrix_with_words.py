"""A matrix in a NumPy or safetensors file, with a list of words beside it: one a line, in the order of the rows."""

from collections.abc import Container
from pathlib import Path

import numpy as np

from core.errors import InvalidVectors
from core.sources import user_files
from core.sources import vectors as stored_vectors
from core.sources.vectors.stored import Columns
from core.sources.word_vectors.trained import LONGEST_WORD, MOST_WORDS, Collector, TrainedVectors

NAME = "NumPy (.npy) or safetensors, with a list of words"
_BESIDE = (".words.txt", ".words", ".vocab.txt", ".vocab", ".txt")


def recognises(path: Path, head: bytes) -> bool:
    """Tell by the first bytes, or the name of a safetensors file."""
    return head.startswith(b"\x93NUMPY") or path.suffix.lower() in (".npy", ".safetensors")


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> TrainedVectors:
    """Return the vectors of the words wanted.

    Raises:
        InvalidVectors: There is no list of words, it has more or fewer lines than the matrix rows, or the matrix is
            none of numbers.
    """
    listed = _listed(path, words)
    stored = stored_vectors.opened(path, Columns())
    if stored.count != len(listed):
        raise InvalidVectors(
            f"{path.name} has {stored.count:,} rows, the list of words {len(listed):,} lines. One word is needed for "
            "each row, in the same order."
        )
    rows = np.array([row for row, word in enumerate(listed) if wanted is None or word in wanted], np.int64)
    values = np.asarray(stored.take(rows if len(rows) else np.zeros(1, np.int64)).numbers, np.float32)
    collector = Collector(path.name, values.shape[1], wanted)
    for row, vector in zip(rows.tolist(), values, strict=False):
        if collector.wants(listed[row]):
            collector.add(listed[row], vector)
    return collector.trained(len(listed), "a matrix with a list of words")


def _listed(path: Path, words: Path | None) -> list[str]:
    """Return the words, of the file named or of one beside the matrix."""
    candidates = [path.with_suffix(ending) for ending in _BESIDE]
    list_path = words or next((list_path for list_path in candidates if list_path.is_file()), None)
    if list_path is None:
        raise InvalidVectors(
            f"{path.name} holds a matrix without words. Name a list of words, one a line in the order of the rows, or "
            f"put it beside the file as {candidates[0].name}."
        )
    listed = user_files.decoded(list_path).splitlines()
    if len(listed) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in listed):
        raise InvalidVectors(
            f"{list_path.name} must be a list of at most {MOST_WORDS:,} words, one a line, each of at most "
            f"{LONGEST_WORD:,} characters."
        )
    return listed
