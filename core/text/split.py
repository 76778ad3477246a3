"""Splits texts between the adversary, as auxiliary data, and the victims."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.text.words import folded_words


def split_texts(
    texts: Sequence[str], order: NDArray[np.int64], share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of the adversary's texts and those of the victims, each sorted.

    Texts with the same words, in any case, are equal; only the first of equal texts is used, so that no text is on both
    sides.

    Args:
        texts: All texts.
        order: (texts,) a random order of their rows.
        share: The adversary's share of the distinct texts.
    """
    distinct = order[np.isin(order, different(texts))]
    auxiliary = round(share * len(distinct))
    return np.sort(distinct[:auxiliary]), np.sort(distinct[auxiliary:])


def different(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows of texts whose words, in any case, no text before them has, in rising order.

    >>> different(["One two.", "Three!", "one, TWO"])
    array([0, 1])
    """
    return _different(tuple(texts))


@lru_cache(maxsize=2)
def _different(texts: tuple[str, ...]) -> NDArray[np.int64]:
    """Return the same; the games of an audit ask about the same texts, and about those that were there before."""
    contents = [" ".join(folded_words(text)) or text for text in texts]
    first = {content: row for row, content in reversed(list(enumerate(contents)))}
    rows = np.sort(np.fromiter(first.values(), np.int64, len(first)))
    rows.flags.writeable = False
    return rows


def kept_back(texts: Sequence[str], count: int, rng: np.random.Generator) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hold out at most ``count`` random texts; return the others and these, each in their order."""
    reserved = set(rng.permutation(len(texts))[:count].tolist())
    return (
        tuple(text for row, text in enumerate(texts) if row not in reserved),
        tuple(texts[row] for row in sorted(reserved)),
    )
