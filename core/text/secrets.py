"""What an adversary wants to know about a text: the public map from a text to one of a few answers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from core.text.words import word_characters


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

    A word stands between what no word is made of. Where a script puts no spaces between words, as Chinese does, a
    keyword is found only where something else sets it apart.

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
        inside = word_characters()
        return re.compile(rf"(?<!{inside}){re.escape(self.name)}(?!{inside})", re.IGNORECASE)


@dataclass(frozen=True)
class Authorship:
    """Who wrote a text (Song and Raghunathan 2020, section 4).

    Attributes:
        name: What is asked.
        values: The authors.
        wrote: Each text's author, as a place among the values; texts of others have none.
    """

    name: str
    values: tuple[str, ...]
    wrote: Mapping[str, int]

    def read(self, text: str) -> int:
        """Return the author of a text, as a place among the values."""
        return self.wrote[text]
