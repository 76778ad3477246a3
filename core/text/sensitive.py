"""Words of a text that may identify somebody: in names, in numbers, in e-mail addresses; told by their form alone."""

import re
from collections.abc import Mapping

from core.text.words import words_in

KINDS: Mapping[str, str] = {
    "names": "words with a capital that begin no sentence",
    "numbers": "words with a digit",
    "emails": "words of what has the form of an e-mail address",
}
"""What counts as each kind."""

_EMAIL = re.compile(r"[^\s@<>,;:()\[\]\"']+@[^\s@<>,;:()\[\]\"']+\.\w+")
_SENTENCE = re.compile(r"(?:^|[.!?:…\n]|[.!?]['\"”’)])\s*[\"'“‘(]*$")


def sensitive_words(text: str) -> dict[str, frozenset[str]]:
    """Return the words of each kind, case folded; a word is of one kind only.

    A text that is all in capitals, or without any, has no names that their form tells.

    >>> found = sensitive_words("Yesterday Ann paid 500 to bob@corp.example. He called.")
    >>> {kind: sorted(words) for kind, words in found.items()}
    {'names': ['ann'], 'numbers': ['500'], 'emails': ['bob', 'corp', 'example']}
    """
    spans = [match.span() for match in _EMAIL.finditer(text)]
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for match in words_in(text):
        word = match.group()
        if any(start <= match.start() < stop for start, stop in spans):
            found["emails"].add(word.casefold())
        elif any(letter.isdigit() for letter in word):
            found["numbers"].add(word.casefold())
        elif word[:1].isupper() and len(word) > 1 and not text.isupper() and not _begins(text, match.start()):
            found["names"].add(word.casefold())
    return {kind: frozenset(words) for kind, words in found.items()}


def _begins(text: str, start: int) -> bool:
    """Tell whether a sentence begins at a position."""
    return _SENTENCE.search(text[:start][-8:]) is not None or not text[:start].strip()
