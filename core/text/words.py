"""The words of a text, in any script."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_EMOJI_STYLES = range(0xFE00, 0xFE10)


def words_in(text: str) -> Iterator[re.Match[str]]:
    r"""Yield the words of a text and their places; digits and underscores are parts of words, and so are marks.

    ``\w`` lacks the vowel signs of Devanagari and its like, Arabic vowel points, and accents that follow their letter.

    >>> [word.group() for word in words_in("We met at 5_pm: re\u0301sume\u0301")]
    ['We', 'met', 'at', '5_pm', 're\u0301sume\u0301']
    """
    return _words().finditer(text)


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"{word_characters()}+")


@cache
def word_characters() -> str:
    """Return what words are made of, as a class of a regular expression.

    Marks beyond the first 65,536 characters, of few scripts in use, are left out: with them it is ten times slower.
    """
    marks = (chr(code) for code in range(0x10000) if code not in _EMOJI_STYLES)
    return rf"[\w{''.join(mark for mark in marks if unicodedata.category(mark) in ('Mn', 'Mc'))}]"
