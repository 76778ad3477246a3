"""The words of a text, in any script."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_EMOJI_STYLES = range(0xFE00, 0xFE10)


def words_in(text: str) -> Iterator[re.Match[str]]:
    r"""Yield the words of a text with their positions; words may contain digits, underscores and combining marks.

    ``\w`` lacks vowel signs of Devanagari and similar scripts, Arabic vowel points, and combining accents.

    >>> [word.group() for word in words_in("We met at 5_pm: re\u0301sume\u0301")]
    ['We', 'met', 'at', '5_pm', 're\u0301sume\u0301']
    """
    return _words().finditer(text)


def folded_words(text: str) -> list[str]:
    """Return the words of a text in their order, case folded.

    >>> folded_words("The cat saw the other cat.")
    ['the', 'cat', 'saw', 'the', 'other', 'cat']
    """
    return _words().findall(text.casefold())


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"{word_characters()}+")


@cache
def word_characters() -> str:
    """Return the characters of words, as a class of a regular expression.

    Marks beyond the first 65,536 characters, of few scripts in use, are left out: they would make it ten times slower.
    """
    marks = (chr(code) for code in range(0x10000) if code not in _EMOJI_STYLES)
    return rf"[\w{''.join(mark for mark in marks if unicodedata.category(mark) in ('Mn', 'Mc'))}]"
