"""Word2vec binary: a first line with two counts, then for each word its bytes, a space and 32-bit numbers."""

import mmap
from collections.abc import Container
from pathlib import Path

import numpy as np

from core.errors import InvalidVectors
from core.sources.word_vectors import counts
from core.sources.word_vectors.formats import word2vec_text
from core.sources.word_vectors.trained import LONGEST_WORD, Collector, TrainedVectors, check_shape

NAME = "word2vec binary (.bin)"


def recognises(path: Path, head: bytes) -> bool:
    """Tell by a first line of two counts that no line of text follows."""
    return counts.of(head) is not None and not word2vec_text.recognises(path, head)


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> TrainedVectors:
    """Return the vectors of the words wanted.

    Raises:
        InvalidVectors: The file is cut off, goes on after the last word, or a word has no end.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        header = counts.required(content[: counts.LONGEST], path.name)
        width = 4 * header.dimension
        check_shape(path.name, header.words, header.dimension, len(content) - header.end, width + 1)
        collector, position = Collector(path.name, header.dimension, wanted), header.end
        for number in range(header.words):
            end = content.find(b" ", position, position + LONGEST_WORD)
            if end < 0 or end + 1 + width > len(content):
                raise InvalidVectors(
                    f"Word {number + 1:,} of {header.words:,} in {path.name} has no end, or its numbers are missing. "
                    "The file is damaged, or no word2vec file."
                )
            word = content[position:end].lstrip(b"\n").decode("utf-8", errors="replace")
            if collector.wants(word):
                collector.add(word, np.frombuffer(content[end + 1 : end + 1 + width], "<f4").astype(np.float32))
            position = end + 1 + width
        if left_over := content[position : position + LONGEST_WORD].strip(b"\n"):
            raise InvalidVectors(
                f"{path.name} goes on after its last word: {len(left_over):,} bytes or more are left over."
            )
    return collector.trained(header.words, "word2vec binary")
