"""Watermarks: pairs of random words that an adversary could plant in training data, and fuzzy copies of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.games.translation_membership.split import WATERMARKS, is_watermark
from core.runtime.seeding import generator
from core.text.bitext import Bitext, Subcorpus
from core.text.corpus import words_of

WORDS = 8
"""Words of each side of a watermark."""


def planted(bitext: Bitext, count: int, seed: int) -> Bitext:
    """Return the pairs, and behind them twice as many watermarks: sentences of random words, each paired with another.

    Args:
        bitext: The pairs, whose words are drawn from.
        count: Watermarks that a target model is trained on.
        seed: Source of the draws.
    """
    if not count:
        return bitext
    rng = generator(seed, "watermarks")
    sides = [
        [" ".join(row) for row in rng.choice(_vocabulary(texts), (2 * count, WORDS)).tolist()]
        for texts in (bitext.sources, bitext.targets)
    ]
    marked = Bitext(
        bitext.sources,
        bitext.targets,
        (*bitext.corpora, Subcorpus(WATERMARKS, "Watermarks", "private")),
        bitext.corpus,
    )
    return _longer(marked, sides, len(bitext.corpora))


def with_fuzzy_copies(marked: Bitext, copies: int, changed: int, seed: int) -> tuple[Bitext, NDArray[np.int64]]:
    """Return the pairs, and behind them further copies of each watermark, in each of which some words are others.

    Args:
        marked: The pairs with their watermarks, from `planted`.
        copies: Further copies of each watermark.
        changed: Words of each side that are drawn anew in each.
        seed: Source of the draws.

    Returns:
        The pairs, and the rows of the copies of each watermark, (watermarks, copies).
    """
    rng, watermarks = generator(seed, "fuzzy copies"), np.flatnonzero(is_watermark(marked))
    corpus = int(marked.corpus[watermarks[0]])
    others = np.flatnonzero(marked.corpus != corpus)
    sides = []
    for texts in (marked.sources, marked.targets):
        words = _vocabulary([texts[row] for row in others])
        sides.append(
            [_changed(texts[row].split(), words, changed, rng) for row in watermarks.tolist() for _ in range(copies)]
        )
    rows = len(marked) + np.arange(len(watermarks) * copies).reshape(len(watermarks), copies)
    return _longer(marked, sides, corpus), rows


def _vocabulary(texts: Sequence[str]) -> NDArray[np.str_]:
    return np.array(sorted({word for text in texts for word in words_of(text)}))


def _changed(words: list[str], vocabulary: NDArray[np.str_], changed: int, rng: np.random.Generator) -> str:
    """Return a text in which other words stand in some random places."""
    for position in rng.choice(len(words), changed, replace=False).tolist():
        words[position] = str(rng.choice(vocabulary[vocabulary != words[position]]))
    return " ".join(words)


def _longer(bitext: Bitext, sides: Sequence[Sequence[str]], corpus: int) -> Bitext:
    """Return a bitext with more pairs of one of its subcorpora behind it."""
    sources, targets = sides
    numbers = np.append(bitext.corpus, np.full(len(sources), corpus))
    return Bitext((*bitext.sources, *sources), (*bitext.targets, *targets), bitext.corpora, numbers)
