"""The word substitution trick: pairs of texts that differ in one word, one with the keyword and one without."""

from collections.abc import Sequence

import numpy as np

from core.errors import Incompatible
from core.runtime.seeding import generator
from core.text.secrets import Keyword
from core.text.words import folded_words, words_in


def vocabulary(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct words of some texts, in lower case, in alphabetical order."""
    return tuple(sorted({word for text in texts for word in folded_words(text)}))


def absent_keywords(texts: Sequence[str], external: Sequence[str], count: int) -> tuple[Keyword, ...]:
    """Return words of external texts that no text has, drawn the same way each time.

    Raises:
        Incompatible: There are fewer.
    """
    present = set(vocabulary(texts))
    words = [word for word in vocabulary(external) if word.isalpha() and word not in present]
    while len(words) >= count:
        drawn = generator(0, "absent").choice(len(words), count, replace=False)
        chosen = tuple(Keyword(words[number]) for number in sorted(drawn.tolist()))
        # Keywords are matched in either case, which for a few letters, such as Turkish ones, reaches further.
        strays = {keyword.name for keyword in chosen if any(map(keyword.read, texts))}
        if not strays:
            return chosen
        words = [word for word in words if word not in strays]
    raise Incompatible(
        f"The external texts must have {count} words that the dataset lacks. They have {len(words)}; ask for fewer."
    )


def replaced(text: str, word: str, rng: np.random.Generator) -> str:
    """Return a text with a random word replaced by another; that word alone when the text has none.

    >>> replaced("so good", "paris", np.random.default_rng(0))
    'so paris'
    """
    matches = list(words_in(text))
    if not matches:
        return word
    match = matches[int(rng.integers(len(matches)))]
    return text[: match.start()] + word + text[match.end() :]


def substituted(
    texts: Sequence[str],
    keyword: Keyword,
    words: Sequence[str],
    copies: int,
    rng: np.random.Generator,
    anchor: str = "",
) -> tuple[list[str], list[int]]:
    """Return equally many texts with and without a keyword, and whether each has it.

    A text without the keyword is paired with copies in which the keyword replaces a random word, a text with it with
    copies in which random words replace it (Pan et al. 2020, section VI-B, "word substitution trick"). An anchor is
    replaced in both texts of a pair; otherwise classifiers would only learn its absence.

    Args:
        texts: Texts to start from.
        keyword: The keyword.
        words: Words that replace the keyword; the keyword itself is never used.
        copies: Pairs made of each text; from the second on, both texts of a pair have a random word replaced.
        rng: Source of all randomness.
        anchor: Word that the keyword replaces where a text has it, instead of a random one.
    """
    other_words = [word for word in words if not keyword.read(word)] or ["other"]
    pairs: list[str] = []
    present: list[int] = []
    replaceable = Keyword(anchor) if anchor else None
    for text in texts:
        for copy in range(copies):
            other = other_words[int(rng.integers(len(other_words)))]
            if keyword.read(text):
                pair = (keyword.replace(text, other), text)
            elif replaceable is not None and replaceable.read(text):
                pair = (replaceable.replace(text, other), replaceable.replace(text, keyword.name))
            else:
                seed = int(rng.integers(2**31))
                changed = replaced(text, keyword.name, np.random.default_rng(seed))
                pair = (replaced(text, other, np.random.default_rng(seed)) if copy else text, changed)
            pairs += (_without(pair[0], keyword), pair[1])
            present += (0, 1)
    return pairs, present


def _without(text: str, keyword: Keyword) -> str:
    """Return a text without a keyword that a replacement completed together with its neighbours."""
    while keyword.read(text):
        text = keyword.replace(text, "")
    return text
