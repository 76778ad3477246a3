"""What an adversary wants to know about a text: the public map from a text to one of a few answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from core.datasets import Dataset
from core.errors import Incompatible


class Secret(Protocol):
    """A question about a text whose answer is one of a few (the map P of Pan et al. 2020, section IV-A)."""

    @property
    def name(self) -> str:
        """What is asked, for display and in the names of figures."""

    @property
    def values(self) -> tuple[str, ...]:
        """The possible answers."""

    def read(self, text: str) -> int:
        """Return the answer for a text, as its place among the values."""


@dataclass(frozen=True)
class Keyword:
    """Whether a text contains a word (Pan et al. 2020, section VI-A).

    >>> Keyword("London").read("From london, at night"), Keyword("London").read("Londonderry")
    (1, 0)
    """

    name: str
    values: ClassVar[tuple[str, ...]] = ("absent", "present")

    def read(self, text: str) -> int:
        """Return 1 when the word stands in the text on its own, in either case, and 0 otherwise."""
        return int(bool(self._pattern.search(text)))

    def replace(self, text: str, word: str) -> str:
        """Return the text with another word wherever the keyword stood."""
        return self._pattern.sub(lambda _: word, text)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w){re.escape(self.name)}(?!\w)", re.IGNORECASE)


def keywords(words: Sequence[str], dataset: Dataset) -> tuple[Keyword, ...]:
    """Return the keywords that were asked for, or those the dataset proposes when none were.

    Raises:
        Incompatible: There are none, or two are the same.
    """
    chosen = tuple(words) or dataset.keywords
    if not chosen:
        raise Incompatible(f"{dataset.part_name()} proposes no keywords. Name some.")
    if len({word.casefold() for word in chosen}) < len(chosen):
        raise Incompatible(f"The keywords must differ. Got {', '.join(chosen)} instead.")
    return tuple(Keyword(word) for word in chosen)
