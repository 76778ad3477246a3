"""Word vectors as lines of text: a word, then its numbers."""

from collections.abc import Container
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors
from core.sources.word_vectors.trained import LONGEST_WORD, MOST_WORDS, Collector

_LONGEST_NUMBER = 40


def numbers(fields: list[bytes]) -> NDArray[np.float32] | None:
    """Return numbers written as text; None where one of them is no number."""
    try:
        return np.array(fields).astype(np.float64).astype(np.float32) if fields else None
    except (ValueError, OverflowError):
        return None


def collected(
    file: IO[bytes], path: Path, dimension: int, wanted: Container[str] | None, first: int
) -> tuple[Collector, int]:
    """Return the vectors of the words wanted, and how many words there are.

    Args:
        file: Open at the first row.
        path: Of the file, for messages.
        dimension: Numbers of a vector.
        wanted: Words to keep; None for all.
        first: Number of the line that comes next.

    Raises:
        InvalidVectors: A line is no word with that many numbers, or there are too many lines.
    """
    collector, total, longest = Collector(path.name, dimension, wanted), 0, LONGEST_WORD + _LONGEST_NUMBER * dimension
    while line := file.readline(longest + 1):
        where = f"Line {first + total:,} of {path.name}"
        if len(line) > longest:
            raise InvalidVectors(f"{where} is longer than {longest:,} bytes, too long for {dimension} numbers.")
        fields = line.rstrip(b" \r\n").rsplit(b" ", dimension)
        if len(fields) != dimension + 1:
            raise InvalidVectors(f"{where} must hold a word and {dimension} numbers. It holds {len(fields)} fields.")
        if (total := total + 1) > MOST_WORDS:
            raise InvalidVectors(f"{path.name} holds more than {MOST_WORDS:,} words. Save the most frequent ones.")
        word = fields[0].decode("utf-8", errors="replace")
        if not collector.wants(word):
            continue
        vector = numbers(fields[1:])
        if vector is None:
            raise InvalidVectors(f"{where} must hold a word and {dimension} numbers. One of them is no number.")
        collector.add(word, vector)
    return collector, total
