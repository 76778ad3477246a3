"""Secrets that an adversary infers about a text: public maps from a text to one of a few values."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from core.text import word_sets
from core.text.words import word_characters

_HIDDEN = 50
"""Words that a holder asks its defenses to hide, where they hide words."""


class Secret(Protocol):
    """A map from a text to one of a few values (the map P of Pan et al. 2020, section IV-A)."""

    @property
    def name(self) -> str:
        """Its name, for display and in the names of estimates."""

    @property
    def values(self) -> tuple[str, ...]:
        """The possible values."""

    def read(self, text: str) -> int:
        """Return the index of a text's value."""


@dataclass(frozen=True)
class Keyword:
    """Whether a text contains a word (Pan et al. 2020, section VI-A).

    Only whole words count. In a script without spaces between words, such as Chinese, a keyword is found only between
    other separators.

    >>> Keyword("London").read("From london, at night"), Keyword("London").read("Londonderry")
    (1, 0)
    """

    name: str
    values: ClassVar[tuple[str, ...]] = ("absent", "present")

    def read(self, text: str) -> int:
        """Return 1 if the text has the keyword as a whole word, in any case, and 0 otherwise."""
        return int(bool(self._pattern.search(text)))

    def replace(self, text: str, word: str) -> str:
        """Return the text with another word in place of the keyword."""
        return self._pattern.sub(lambda _: word, text)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        inside = word_characters()
        return re.compile(rf"(?<!{inside}){re.escape(self.name)}(?!{inside})", re.IGNORECASE)


@dataclass(frozen=True)
class Authorship:
    """Who wrote a text (Song and Raghunathan 2020, section 4).

    Attributes:
        name: Name of the secret.
        values: The authors.
        wrote: Index of each text's author; texts of other authors are absent.
    """

    name: str
    values: tuple[str, ...]
    wrote: Mapping[str, int]

    def read(self, text: str) -> int:
        """Return the index of a text's author."""
        return self.wrote[text]


def words_to_hide(victims: Iterable[frozenset[str]]) -> tuple[Keyword, ...]:
    """Return the words that defenses hide where the holder names none: the most frequent ones."""
    return tuple(map(Keyword, list(word_sets.frequencies(victims))[:_HIDDEN]))
