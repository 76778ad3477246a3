"""Segments of documents to embed: whole texts, or their sentences."""

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.text.contents import Documents

Segmentation = Literal["texts", "sentences"]

_FEWEST_WORDS = 4
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|\n+")


def segmented(documents: Documents, pieces: Segmentation) -> tuple[list[str], NDArray[np.int64]]:
    """Return the segments, and (segments, 2) the row and the sentence number of each, -1 for a whole text.

    Args:
        documents: The texts.
        pieces: Whole texts, or their sentences of at least four words.
    """
    if pieces == "texts":
        rows = np.arange(len(documents))
        return list(documents.texts), np.stack([rows, np.full_like(rows, -1)], axis=1)
    sentences = [
        (sentence, row, number)
        for row, text in enumerate(documents.texts)
        for number, sentence in enumerate(_SENTENCE_END.split(text))
        if len(sentence.split()) >= _FEWEST_WORDS
    ]
    positions = np.array([position for _, *position in sentences], np.int64).reshape(-1, 2)
    return [sentence for sentence, _, _ in sentences], positions


def neighbours(positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of the sentences whose successor follows directly in the same text, (pairs,).

    Args:
        positions: (sentences, 2) row and sentence number of each, as from `segmented`.

    >>> neighbours(np.array([[0, 0], [0, 1], [0, 3], [1, 0], [1, 1]]))
    array([0, 3])
    """
    following = (positions[1:, 0] == positions[:-1, 0]) & (positions[1:, 1] == positions[:-1, 1] + 1)
    return np.flatnonzero(following)
