"""How much text a dataset holds, measured on a sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.runtime.seeding import generator
from core.text.corpus import words_of

_SAMPLED = 500


@dataclass(frozen=True)
class Volume:
    """An amount of text.

    Attributes:
        documents: How many.
        words: How many they have together, about.
    """

    documents: int
    words: float


def volume(texts: Sequence[str]) -> Volume:
    """Return the volume of texts, by the words of at most 500 of them, drawn the same way each time.

    >>> volume(["one two", "three"])
    Volume(documents=2, words=3.0)
    """
    rows = generator(0, "volume").permutation(len(texts))[:_SAMPLED].tolist()
    words = sum(len(words_of(texts[row])) for row in rows)
    return Volume(len(texts), words * len(texts) / max(len(rows), 1))
