"""Word2vec text, also fastText's .vec: a first line with two counts, then a line for each word."""

from collections.abc import Container
from pathlib import Path

from core.errors import InvalidVectors
from core.sources.word_vectors import counts
from core.sources.word_vectors.lines import collected, numbers
from core.sources.word_vectors.trained import TrainedVectors, check_shape

NAME = "word2vec text (.txt, fastText .vec)"


def recognises(path: Path, head: bytes) -> bool:
    """Tell by a first line of two counts, and a second of a word with that many numbers, or the beginning of them."""
    if (header := counts.of(head)) is None:
        return False
    line, newline, _ = head[header.end :].partition(b"\n")
    fields = line.rstrip(b" \r").rsplit(b" ", max(header.dimension, 1))[1:]
    return numbers(fields if newline else fields[:-1]) is not None


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> TrainedVectors:
    """Return the vectors of the words wanted.

    Raises:
        InvalidVectors: A line is damaged, or there are more or fewer than the first line says.
    """
    with path.open("rb") as file:
        header = counts.required(file.readline(counts.LONGEST), path.name)
        room = path.stat().st_size - header.end
        check_shape(path.name, header.words, header.dimension, room, 2 * header.dimension + 1)
        collector, total = collected(file, path, header.dimension, wanted, 2)
    if total != header.words:
        raise InvalidVectors(f"{path.name} says that it holds {header.words:,} words. It holds {total:,}.")
    return collector.trained(total, "word2vec text")
