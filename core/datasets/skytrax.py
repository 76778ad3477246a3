"""Airline reviews: sentences that name the city of a journey, or whole reviews."""

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import labelled, rows_of
from core.spec import parameter
from core.text.contents import Documents
from core.text.corpus import words_of

REVIEWS = on_github(
    "skytrax",
    "ashaloganova/Skytrax@466e415e72989b54f46514c3933a83e05d38042b",
    "57e7b3ed140071ca1134131af60fb7e39a7c59107721d643b9ca6ce7fa592895 1_834_658 airline.csv",
)

_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')]))\s+(?=[\"'(]?[A-Z0-9])|\n+")
_RECOMMENDED = {"1": "recommended", "0": "not recommended"}


class Skytrax(Dataset):
    """Sentences of airline reviews that name at least one of ten cities; or whole reviews, where these are chosen.

    A document is a sentence, not a review: sentences have 15 words on average, as the paper reports, and reviews 116.
    The cities are the ten most frequent ones of a single word, so Hong Kong is not among them. The class is whether the
    review recommends the airline. No other column is read, so no author either.

    Use: Pan et al. 2020, section VI-C (case study Airline), where the full collection gives 4,685 texts.
    """

    title: ClassVar[str] = "Airline reviews"
    pinned: ClassVar[tuple[Source, ...]] = (REVIEWS,)
    card: ClassVar[Card] = Card(
        summary="764 sentences in which passengers of airlines name one of ten cities, from a sample of 2,244 reviews.",
        licence="unclear: the repository says CC0-1.0, and that the licence of the reviews is unknown",
        citation="Passengers' reviews on Skytrax (airlinequality.com), 2003 to 2015, as sampled by A. Loganova.",
        homepage="https://github.com/ashaloganova/Skytrax",
    )
    keywords = (
        *("london", "sydney", "singapore", "bangkok", "toronto"),
        *("manchester", "dubai", "paris", "melbourne", "dublin"),
    )

    taken: Literal["sentences", "reviews"] = parameter(
        "sentences", "Sentences that name a city, or all reviews as they are.", advanced=True, implied="sentences"
    )

    def load(self) -> Documents:
        """Return the sentences in the order of the reviews, or the reviews."""
        (content,) = read(REVIEWS).values()
        if self.taken == "reviews":
            return labelled(REVIEWS.name, _reviews(content))
        return labelled(REVIEWS.name, _sentences(content, frozenset(self.keywords)))


def _reviews(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield each review, and whether it recommends the airline."""
    for review, recommended in rows_of(REVIEWS.name, content, ("content", "recommended")):
        if recommended not in _RECOMMENDED:
            raise DataCorrupt(f"The 'recommended' of {REVIEWS.name} must be 0 or 1. It is {recommended[:80]!r}.")
        yield review, _RECOMMENDED[recommended]


def _sentences(content: bytes, cities: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield each sentence that names one of the cities, and whether its review recommends the airline."""
    for review, label in _reviews(content):
        for sentence in _SENTENCE_END.split(review):
            if not cities.isdisjoint(words_of(sentence)):
                yield sentence, label
