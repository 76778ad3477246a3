"""What an adversary wants to know about a text: the public map from a text to one of a few answers."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, Protocol

from core.datasets import Dataset
from core.errors import Incompatible

_EMOJI_STYLES = range(0xFE00, 0xFE10)


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
        inside = _word_characters()
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


def words_in(text: str) -> Iterator[re.Match[str]]:
    r"""Yield the words of a text and their places; digits and underscores are parts of words, and so are marks.

    ``\w`` lacks the vowel signs of Devanagari and its like, Arabic vowel points, and accents that follow their letter.

    >>> [word.group() for word in words_in("We met at 5_pm: re\u0301sume\u0301")]
    ['We', 'met', 'at', '5_pm', 're\u0301sume\u0301']
    """
    return _words().finditer(text)


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"{_word_characters()}+")


@cache
def _word_characters() -> str:
    """Return what words are made of, as a class of a regular expression.

    Marks beyond the first 65,536 characters, of few scripts in use, are left out: with them it is ten times slower.
    """
    marks = (chr(code) for code in range(0x10000) if code not in _EMOJI_STYLES)
    return rf"[\w{''.join(mark for mark in marks if unicodedata.category(mark) in ('Mn', 'Mc'))}]"
