"""Requests as numbers: the words, tags and intents that a model of them knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.text.canary import PATTERNS
from core.text.contents import Utterances
from core.text.corpus import DUMMY


@dataclass(frozen=True)
class Encoded:
    """Requests as numbers.

    Attributes:
        words: (n,) the words of all requests, one request after the other.
        tags: (n,) the tag of each word.
        offsets: (requests + 1,) where each request begins; the last entry is n.
        intents: (requests,) what each wants.
    """

    words: NDArray[np.int64]
    tags: NDArray[np.int64]
    offsets: NDArray[np.int64]
    intents: NDArray[np.int64]

    @classmethod
    def of(
        cls, words: Sequence[NDArray[np.int64]], tags: Sequence[NDArray[np.int64]], intents: NDArray[np.int64]
    ) -> "Encoded":
        """Return requests that are given one by one."""
        nothing = np.empty(0, np.int64)
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in words], dtype=np.int64)])
        return cls(np.concatenate([nothing, *words]), np.concatenate([nothing, *tags]), offsets, intents)

    def __len__(self) -> int:
        """Return the number of requests."""
        return len(self.intents)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Words of each request, (requests,)."""
        return np.diff(self.offsets)

    def alike(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return words and tags, (requests, time) both, of requests that are equally long."""
        length = int(self.lengths[rows[0]])
        places = self.offsets[rows, None] + np.arange(length)
        return self.words[places], self.tags[places]

    def select(self, rows: NDArray[np.int64]) -> "Encoded":
        """Return the given requests, in that order."""
        pieces = [slice(self.offsets[row], self.offsets[row + 1]) for row in rows]
        return Encoded.of(
            [self.words[piece] for piece in pieces], [self.tags[piece] for piece in pieces], self.intents[rows]
        )

    def with_copies(self, other: "Encoded", copies: int) -> "Encoded":
        """Return these requests and so many copies of others."""
        words, tags, lengths, intents = (
            np.concatenate([mine, np.tile(theirs, copies)]).astype(np.int64)
            for mine, theirs in (
                (self.words, other.words),
                (self.tags, other.tags),
                (self.lengths, other.lengths),
                (self.intents, other.intents),
            )
        )
        return Encoded(words, tags, np.concatenate([[0], np.cumsum(lengths)]), intents)

    def batches(self, size: int, rng: np.random.Generator | None = None) -> list[NDArray[np.int64]]:
        """Return rows of requests that are equally long, so that nothing needs padding.

        Args:
            size: Most requests of a batch.
            rng: Shuffles requests and batches; None leaves them in order.
        """
        lengths = self.lengths
        order = np.arange(len(self)) if rng is None else rng.permutation(len(self))
        found = []
        for length in np.unique(lengths):
            own = order[lengths[order] == length]
            found += np.array_split(own, -(-len(own) // size))
        return found if rng is None else [found[at] for at in rng.permutation(len(found))]


@dataclass(frozen=True)
class RequestVocabulary:
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
    def of(cls, utterances: Utterances, public: Iterable[str] | None = None) -> "RequestVocabulary":
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

    @cached_property
    def _tag_places(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags)}

    @cached_property
    def _intent_places(self) -> dict[str, int]:
        return {intent: number for number, intent in enumerate(self.intents)}

    def numbers(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the numbers of words, (words,)."""
        return np.array([self._word_numbers.get(word, 0) for word in words], np.int64)

    def tag_numbers(self, tags: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of tags, (tags,); an unknown one has that of ``O``."""
        return np.array([self._tag_places.get(tag, 0) for tag in tags], np.int64)

    def intent_numbers(self, intents: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of intents, (intents,); -1 for an unknown one, which no model can name."""
        return np.array([self._intent_places.get(intent, -1) for intent in intents], np.int64)

    def encode(self, utterances: Utterances) -> Encoded:
        """Return utterances as numbers."""
        return Encoded.of(
            [self.numbers(words) for words in utterances.words],
            [self.tag_numbers(slots) for slots in utterances.slots],
            self.intent_numbers(utterances.intents),
        )
