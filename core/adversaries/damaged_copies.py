"""Copies of a text with words left out, to see how far an answer to it lasts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.runtime.seeding import generator

_LEFT_OUT = (0.2, 0.35, 0.5, 0.65)
"""Shares of the words, from copies that hardly differ to ones that hardly remain; they take turns."""


@dataclass(frozen=True)
class Copies:
    """Makes copies of texts, the same ones whenever it is asked.

    Attributes:
        count: Copies of a text.
    """

    count: int

    def of(self, text: str, seed: int) -> list[str]:
        """Return the copies of a text, none of one without two words.

        >>> len(Copies(3).of("one two three four", 1)), Copies(3).of("one", 1)
        (3, [])
        """
        return without_words(text, [_LEFT_OUT[number % len(_LEFT_OUT)] for number in range(self.count)], seed)


def without_words(text: str, shares: Sequence[float], seed: int) -> list[str]:
    """Return a copy of a text for each share of its words that is left out, none of one without two words.

    >>> without_words("one two three four", [0.75], 1)
    ['two']
    """
    words = text.split()
    if len(words) < 2:
        return []
    rng = generator(seed, "words left out", text)
    kept = [max(round(len(words) * (1 - share)), 1) for share in shares]
    chosen = [np.sort(rng.permutation(len(words))[:count]) for count in kept]
    return [" ".join(words[position] for position in places) for places in chosen]
