"""The word substitution trick: texts that differ in one word, of which one has the keyword."""

from collections.abc import Sequence

import numpy as np

from core.text.secrets import Keyword
from core.text.words import words_in


def vocabulary(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct words of some texts, in lower case, in alphabetical order."""
    return tuple(sorted({word.group() for text in texts for word in words_in(text.casefold())}))


def replaced(text: str, word: str, rng: np.random.Generator) -> str:
    """Return a text with another word in place of a random one; the word alone when the text has none.

    >>> replaced("so good", "paris", np.random.default_rng(0))
    'so paris'
    """
    places = list(words_in(text))
    if not places:
        return word
    place = places[int(rng.integers(len(places)))]
    return text[: place.start()] + word + text[place.end() :]


def substituted(
    texts: Sequence[str],
    keyword: Keyword,
    words: Sequence[str],
    copies: int,
    rng: np.random.Generator,
    anchor: str = "",
) -> tuple[list[str], list[int]]:
    """Return texts that are balanced between with and without a keyword, and which are which.

    A text without the keyword stays, and gets copies in which it stands in place of a random word; a text with it
    stays, and gets copies in which random words stand in its place (Pan et al. 2020, section VI-B, "word substitution
    trick"). Where an anchor stood, keyword and random words take its place: were it left in the texts without the
    keyword, its absence would be all there is to learn.

    Args:
        texts: Texts to start from.
        keyword: What to learn to tell.
        words: Words to put in place of the keyword; the keyword itself is never one of them.
        copies: Pairs made of each text; from the second on, both texts of a pair have a random word replaced.
        rng: Source of all randomness.
        anchor: Word in whose place the keyword is put, instead of a random one, where a text has it.
    """
    others = [word for word in words if not keyword.read(word)] or ["other"]
    made: list[str] = []
    present: list[int] = []
    held = Keyword(anchor) if anchor else None
    for text in texts:
        for copy in range(copies):
            other = others[int(rng.integers(len(others)))]
            if keyword.read(text):
                pair = (keyword.replace(text, other), text)
            elif held is not None and held.read(text):
                pair = (held.replace(text, other), held.replace(text, keyword.name))
            else:
                seed = int(rng.integers(2**31))
                changed = replaced(text, keyword.name, np.random.default_rng(seed))
                pair = (replaced(text, other, np.random.default_rng(seed)) if copy else text, changed)
            made += (_without(pair[0], keyword), pair[1])
            present += (0, 1)
    return made, present


def _without(text: str, keyword: Keyword) -> str:
    """Return a text from which a keyword is cut that a word put beside its other half has completed."""
    while keyword.read(text):
        text = keyword.replace(text, "")
    return text
