"""Word2vec binary: a first line with two counts, then for each word its bytes, a space and 32-bit numbers."""

import mmap
from collections.abc import Container
from pathlib import Path

import numpy as np

from core.errors import InvalidVectors
from core.sources.word_vectors import counts
from core.sources.word_vectors.formats import word2vec_text
from core.sources.word_vectors.held import LONGEST_WORD, HeldVectors, Kept, check_shape

NAME = "word2vec binary (.bin)"


def recognises(path: Path, head: bytes) -> bool:
    """Tell by a first line of two counts that no line of text follows."""
    return counts.of(head) is not None and not word2vec_text.recognises(path, head)


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> HeldVectors:
    """Return the vectors of the words wanted.

    Raises:
        InvalidVectors: The file is cut off, goes on after the last word, or a word has no end.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = counts.required(content[: counts.LONGEST], path.name)
        width = 4 * found.dimension
        check_shape(path.name, found.words, found.dimension, len(content) - found.end, width + 1)
        kept, place = Kept(path.name, found.dimension, wanted), found.end
        for number in range(found.words):
            end = content.find(b" ", place, place + LONGEST_WORD)
            if end < 0 or end + 1 + width > len(content):
                raise InvalidVectors(
                    f"Word {number + 1:,} of {found.words:,} in {path.name} has no end, or its numbers are missing. "
                    "The file is damaged, or no word2vec file."
                )
            word = content[place:end].lstrip(b"\n").decode("utf-8", errors="replace")
            if kept.wants(word):
                kept.add(word, np.frombuffer(content[end + 1 : end + 1 + width], "<f4").astype(np.float32))
            place = end + 1 + width
        if rest := content[place : place + LONGEST_WORD].strip(b"\n"):
            raise InvalidVectors(f"{path.name} goes on after its last word: {len(rest):,} bytes or more are left over.")
    return kept.held(found.words, "word2vec binary")
