"""A public dictionary without a network: the words of the Lee news corpus."""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import ClassVar

from core.datasets import Card, Dataset
from core.datasets.lee_news import ITEMS, LeeNews
from core.sources import Source
from core.spec import parameter
from core.text.contents import Words
from core.text.corpus import words_of


class NewsWords(Dataset):
    """The words of 300 news items by frequency, ties in alphabetical order.

    Source: see `core.datasets.lee_news`.
    """

    title: ClassVar[str] = "Words of the news"
    pinned: ClassVar[tuple[Source, ...]] = (ITEMS,)
    card: ClassVar[Card] = replace(
        LeeNews.card, summary="The words of 300 news items of the Australian Broadcasting Corporation."
    )
    holds: ClassVar[type] = Words

    size: int = parameter(3000, "Number of words, the most frequent first.", unit="words", ge=100, le=6000)

    def load(self) -> Words:
        """Return the words, the most frequent first."""
        return Words(_by_frequency()[: self.size])


@cache
def _by_frequency() -> tuple[str, ...]:
    """Return all words of the corpus, the most frequent first; a process counts them once."""
    counts = Counter(word for item in LeeNews().load().texts for word in words_of(item))
    return tuple(sorted(counts, key=lambda word: (-counts[word], word)))
