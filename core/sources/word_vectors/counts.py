"""The first line of a word2vec file: how many words follow, and how many numbers each has."""

import re
from typing import NamedTuple

from core.errors import InvalidVectors

LONGEST = 64
"""Bytes that the line may have."""

_LINE = re.compile(rb"(\d{1,12}) (\d{1,6})[ \r]*\n")


class Counts(NamedTuple):
    """What the line says, and where it ends."""

    words: int
    dimension: int
    end: int


def of(head: bytes) -> Counts | None:
    r"""Return the counts at the beginning of a file; None where it begins with something else.

    >>> of(b"2 3\nfirst 0 0 1")
    Counts(words=2, dimension=3, end=4)
    """
    match = _LINE.match(head)
    return None if match is None else Counts(int(match[1]), int(match[2]), match.end())


def required(line: bytes, name: str) -> Counts:
    """Return the counts of a first line.

    Raises:
        InvalidVectors: It holds none.
    """
    if (counts := of(line)) is None:
        raise InvalidVectors(f"The first line of {name} must hold the number of words and of dimensions.")
    return counts
