"""Who holds which texts: a part goes to an adversary that knows their distribution, the rest to the victims."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.text.words import words_in


def split_texts(
    texts: Sequence[str], order: NDArray[np.int64], share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of the adversary's texts and of the victims', each in rising order.

    Texts are told apart by their words in either case, and only the first of equal ones counts, so that no text is on
    both sides.

    Args:
        texts: All texts.
        order: (texts,) a random order of their rows.
        share: Share of the different texts that goes to the adversary.
    """
    same = [" ".join(word.group() for word in words_in(text.casefold())) or text for text in texts]
    first = {words: row for row, words in reversed(list(enumerate(same)))}
    kept = np.array([row for row in order if first[same[row]] == row], dtype=np.int64)
    held = round(share * len(kept))
    return np.sort(kept[:held]), np.sort(kept[held:])
