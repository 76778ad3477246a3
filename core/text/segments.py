"""What is embedded of documents: whole texts, or their sentences."""

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.text.contents import Documents

Segmentation = Literal["texts", "sentences"]

_FEWEST_WORDS = 4
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|\n+")


def segmented(documents: Documents, pieces: Segmentation) -> tuple[list[str], NDArray[np.int64]]:
    """Return what is embedded, and (pieces, 2) the row and the sentence where each stands, -1 for a whole text.

    Args:
        documents: The texts.
        pieces: Whole texts, or their sentences of at least four words.
    """
    if pieces == "texts":
        rows = np.arange(len(documents))
        return list(documents.texts), np.stack([rows, np.full_like(rows, -1)], axis=1)
    found = [
        (sentence, row, number)
        for row, text in enumerate(documents.texts)
        for number, sentence in enumerate(_SENTENCE_END.split(text))
        if len(sentence.split()) >= _FEWEST_WORDS
    ]
    return [sentence for sentence, _, _ in found], np.array([place for _, *place in found], np.int64).reshape(-1, 2)


def neighbours(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of the sentences that the next one follows at once in the same text, (pairs,).

    Args:
        places: (sentences, 2) row and sentence where each stands, as `segmented` has them.

    >>> neighbours(np.array([[0, 0], [0, 1], [0, 3], [1, 0], [1, 1]]))
    array([0, 3])
    """
    following = (places[1:, 0] == places[:-1, 0]) & (places[1:, 1] == places[:-1, 1] + 1)
    return np.flatnonzero(following)
