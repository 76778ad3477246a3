"""Words of a text that may identify somebody, in names, numbers and e-mail addresses, recognised by form alone."""

import re
from collections.abc import Mapping

from core.statistics.wording.naming import LENGTHS
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
    """Return the identifiers of each kind, each as the words that must all be read, case folded.

    A name and a number are one word. An e-mail address is read where all words before its @ are: the words behind it
    are shared by many. In a text that is all in capitals, or has none, no name can be recognised by its form.

    >>> found = sensitive_words("LOVED it! Ann said Bob paid 500 to j.doe@corp.example.")
    >>> {kind: [sorted(words) for words in each] for kind, each in found.items()}
    {'names': [['bob']], 'numbers': [['500']], 'emails': [['doe', 'j']]}
    """
    spans = [match.span() for match in _EMAIL.finditer(text)]
    words_by_kind: dict[str, set[frozenset[str]]] = {kind: set() for kind in KINDS}
    for start, stop in spans:
        local, _, _ = text[start:stop].partition("@")
        if words := frozenset(match.group().casefold() for match in words_in(local)):
            words_by_kind["emails"].add(words)
    for match in words_in(text):
        word = match.group()
        if any(start <= match.start() < stop for start, stop in spans):
            continue
        if any(letter.isdigit() for letter in word):
            words_by_kind["numbers"].add(frozenset([word.casefold()]))
        elif word[:1].isupper() and not word.isupper() and not _begins(text, match.start()):
            words_by_kind["names"].add(frozenset([word.casefold()]))
    return {kind: frozenset(sets) for kind, sets in words_by_kind.items()}


def by_length(numbers: frozenset[frozenset[str]]) -> dict[str, frozenset[frozenset[str]]]:
    """Return numbers by how many digits they have, letters and marks in them not counted.

    >>> found = by_length(frozenset({frozenset({"500"}), frozenset({"7a"}), frozenset({"20261125"})}))
    >>> {length: [sorted(words) for words in each] for length, each in found.items() if each}
    {'1_2': [['7a']], '3_4': [['500']], '7_up': [['20261125']]}
    """
    lengths = {words: sum(letter.isdigit() for word in words for letter in word) for words in numbers}
    return {
        name: frozenset(words for words, digits in lengths.items() if (min(digits, 7) - 1) // 2 == band)
        for band, name in enumerate(LENGTHS)
    }


def _begins(text: str, start: int) -> bool:
    """Tell whether a sentence, a line or a list item begins at a position."""
    return _SENTENCE.search(text[:start][-8:]) is not None or not text[:start].strip()
