"""Word2vec text, also fastText's .vec: a first line with two counts, then a line for each word."""

from collections.abc import Container
from pathlib import Path

from core.errors import InvalidVectors
from core.sources.word_vectors import counts
from core.sources.word_vectors.held import HeldVectors, check_shape
from core.sources.word_vectors.lines import collected, numbers

NAME = "word2vec text (.txt, fastText .vec)"


def recognises(path: Path, head: bytes) -> bool:
    """Tell by a first line of two counts, and a second of a word with that many numbers, or the beginning of them."""
    if (found := counts.of(head)) is None:
        return False
    line, newline, _ = head[found.end :].partition(b"\n")
    fields = line.rstrip(b" \r").rsplit(b" ", max(found.dimension, 1))[1:]
    return numbers(fields if newline else fields[:-1]) is not None


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> HeldVectors:
    """Return the vectors of the words wanted.

    Raises:
        InvalidVectors: A line is damaged, or there are more or fewer than the first line says.
    """
    with path.open("rb") as file:
        found = counts.required(file.readline(counts.LONGEST), path.name)
        room = path.stat().st_size - found.end
        check_shape(path.name, found.words, found.dimension, room, 2 * found.dimension + 1)
        kept, total = collected(file, path, found.dimension, wanted, 2)
    if total != found.words:
        raise InvalidVectors(f"{path.name} says that it holds {found.words:,} words. It holds {total:,}.")
    return kept.held(total, "word2vec text")
