"""Words of a text that may identify somebody: in names, in numbers, in e-mail addresses; told by their form alone."""

import re
from collections.abc import Mapping

from core.text.words import words_in

KINDS: Mapping[str, str] = {
    "names": "words that begin with a capital, but no sentence, line or list item, and are not all in capitals",
    "numbers": "words with a digit",
    "emails": "what stands before the @ of an e-mail address",
}
"""What counts as each kind."""

_EMAIL = re.compile(r"[^\s@<>,;:()\[\]\"']+@[^\s@<>,;:()\[\]\"']+\.\w+")
_SENTENCE = re.compile(r"(?:^|[.!?:…\n]|[.!?]['\"”’)]|[-*•·–—>#]\s|\d\)\s)\s*[-*\"'“‘(]*$")


def sensitive_words(text: str) -> dict[str, frozenset[frozenset[str]]]:
    """Return what there is of each kind, each as the words that must all be read, case folded.

    A name and a number are one word. An e-mail address is read where all words before its @ are: the words behind it
    are shared by many. A text that is all in capitals, or without any, has no names that their form tells.

    >>> found = sensitive_words("LOVED it! Ann said Bob paid 500 to j.doe@corp.example.")
    >>> {kind: [sorted(words) for words in each] for kind, each in found.items()}
    {'names': [['bob']], 'numbers': [['500']], 'emails': [['doe', 'j']]}
    """
    spans = [match.span() for match in _EMAIL.finditer(text)]
    found: dict[str, set[frozenset[str]]] = {kind: set() for kind in KINDS}
    for start, stop in spans:
        local, _, _ = text[start:stop].partition("@")
        if words := frozenset(match.group().casefold() for match in words_in(local)):
            found["emails"].add(words)
    for match in words_in(text):
        word = match.group()
        if any(start <= match.start() < stop for start, stop in spans):
            continue
        if any(letter.isdigit() for letter in word):
            found["numbers"].add(frozenset([word.casefold()]))
        elif word[:1].isupper() and not word.isupper() and not _begins(text, match.start()):
            found["names"].add(frozenset([word.casefold()]))
    return {kind: frozenset(each) for kind, each in found.items()}


def _begins(text: str, start: int) -> bool:
    """Tell whether a sentence, a line or a list item begins at a position."""
    return _SENTENCE.search(text[:start][-8:]) is not None or not text[:start].strip()
