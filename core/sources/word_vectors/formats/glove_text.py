"""GloVe text: a line for each word, and no first line that says how many."""

from collections.abc import Container
from pathlib import Path

from core.errors import InvalidVectors
from core.sources.word_vectors import counts
from core.sources.word_vectors.lines import collected, numbers
from core.sources.word_vectors.trained import MOST_DIMENSIONS, TrainedVectors

NAME = "GloVe text (.txt)"
_FEWEST = 2


def recognises(path: Path, head: bytes) -> bool:
    """Tell by a first line of a word and numbers."""
    return counts.of(head) is None and _dimension(head) is not None


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> TrainedVectors:
    """Return the vectors of the words wanted.

    Raises:
        InvalidVectors: A line has more or fewer numbers than the first.
    """
    with path.open("rb") as file:
        dimension = _dimension(file.readline(262_144))
        if dimension is None or dimension > MOST_DIMENSIONS:
            raise InvalidVectors(
                f"The first line of {path.name} must hold a word and at most {MOST_DIMENSIONS:,} numbers."
            )
        file.seek(0)
        collector, total = collected(file, path, dimension, wanted, 1)
    return collector.trained(total, "GloVe text")


def _dimension(head: bytes) -> int | None:
    """Return how many numbers follow the word of a first line; None where none do."""
    line, newline, _ = head.partition(b"\n")
    fields = line.rstrip(b" \r").split(b" ")[1:]
    if not newline or len(fields) < _FEWEST or b"\0" in line or numbers(fields) is None:
        return None
    return len(fields)
