"""Requests as numbers: the words, tags and intents that a model of them knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.canary import PATTERNS
from core.corpus import DUMMY
from core.datasets import Utterances


@dataclass(frozen=True)
class Encoded:
    """Requests as numbers.

    Attributes:
        words: Of each request, its words, (time,).
        tags: Of each request, the tag of each word, (time,).
        intents: (requests,) what each wants.
    """

    words: tuple[NDArray[np.int64], ...]
    tags: tuple[NDArray[np.int64], ...]
    intents: NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of requests."""
        return len(self.words)

    def select(self, rows: NDArray[np.int64]) -> "Encoded":
        """Return the given requests, in that order."""
        words, tags = (tuple(part[row] for row in rows) for part in (self.words, self.tags))
        return Encoded(words, tags, self.intents[rows])

    def with_copies(self, other: "Encoded", copies: int) -> "Encoded":
        """Return these requests and so many copies of others."""
        return Encoded(
            self.words + other.words * copies,
            self.tags + other.tags * copies,
            np.concatenate([self.intents, np.tile(other.intents, copies)]),
        )

    def batches(self, size: int, rng: np.random.Generator | None = None) -> list[NDArray[np.int64]]:
        """Return rows of requests that are equally long, so that nothing needs padding.

        Args:
            size: Most requests of a batch.
            rng: Shuffles requests and batches; None leaves them in order.
        """
        lengths = np.array([len(words) for words in self.words])
        order = np.arange(len(self)) if rng is None else rng.permutation(len(self))
        found = []
        for length in np.unique(lengths):
            own = order[lengths[order] == length]
            found += np.array_split(own, -(-len(own) // size))
        return found if rng is None else [found[at] for at in rng.permutation(len(found))]


@dataclass(frozen=True)
class Lexicon:
    """What a model of requests knows by number.

    The words, tags and intents of canaries are always among them, whether or not there are any: what a model knows must
    not give away what it learnt from.

    Attributes:
        words: `DUMMY` first, which stands for every unknown word.
        tags: ``O`` first.
        intents: In alphabetical order.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    intents: tuple[str, ...]

    @classmethod
    def of(cls, utterances: Utterances, public: Iterable[str] | None = None) -> "Lexicon":
        """Return what occurs in utterances, and in canaries.

        Args:
            utterances: What is learnt.
            public: The words that are known in place of those that occur, where a promise asks for that.
        """
        patterns = PATTERNS.values()
        own = {word for pattern in patterns for word in (*pattern.prefix, *pattern.candidates)}
        known = {word for words in utterances.words for word in words} if public is None else set(public)
        tags = {tag for slots in utterances.slots for tag in slots} | {"B-canary", "I-canary"}
        intents = {*utterances.intents, *(pattern.intent for pattern in patterns)}
        return cls((DUMMY, *sorted((known | own) - {DUMMY})), ("O", *sorted(tags - {"O"})), tuple(sorted(intents)))

    @cached_property
    def _word_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def numbers(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the numbers of words, (words,)."""
        return np.array([self._word_numbers.get(word, 0) for word in words], np.int64)

    def tag_numbers(self, tags: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of tags, (tags,); an unknown one has that of ``O``."""
        places = {tag: number for number, tag in enumerate(self.tags)}
        return np.array([places.get(tag, 0) for tag in tags], np.int64)

    def intent_numbers(self, intents: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of intents, (intents,); -1 for an unknown one, which no model can name."""
        places = {intent: number for number, intent in enumerate(self.intents)}
        return np.array([places.get(intent, -1) for intent in intents], np.int64)

    def encode(self, utterances: Utterances) -> Encoded:
        """Return utterances as numbers."""
        tags = {tag: number for number, tag in enumerate(self.tags)}
        return Encoded(
            tuple(self.numbers(words) for words in utterances.words),
            tuple(np.array([tags.get(tag, 0) for tag in slots], np.int64) for slots in utterances.slots),
            self.intent_numbers(utterances.intents),
        )
