"""Request vocabulary: words, tags and intents of requests as numbers."""

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
        intents: (requests,) the intent of each request.
    """

    words: NDArray[np.int64]
    tags: NDArray[np.int64]
    offsets: NDArray[np.int64]
    intents: NDArray[np.int64]

    @classmethod
    def of(
        cls, words: Sequence[NDArray[np.int64]], tags: Sequence[NDArray[np.int64]], intents: NDArray[np.int64]
    ) -> "Encoded":
        """Return the requests of separate arrays of words and tags."""
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
        """Return words and tags, (requests, time) both, of requests of equal length."""
        length = int(self.lengths[rows[0]])
        positions = self.offsets[rows, None] + np.arange(length)  # (requests, time)
        return self.words[positions], self.tags[positions]

    def select(self, rows: NDArray[np.int64]) -> "Encoded":
        """Return the given requests, in that order."""
        spans = [slice(self.offsets[row], self.offsets[row + 1]) for row in rows]
        return Encoded.of([self.words[span] for span in spans], [self.tags[span] for span in spans], self.intents[rows])

    def with_copies(self, other: "Encoded", copies: int) -> "Encoded":
        """Return these requests, followed by copies of others."""
        words, tags, lengths, intents = (
            np.concatenate([first, np.tile(second, copies)]).astype(np.int64)
            for first, second in (
                (self.words, other.words),
                (self.tags, other.tags),
                (self.lengths, other.lengths),
                (self.intents, other.intents),
            )
        )
        return Encoded(words, tags, np.concatenate([[0], np.cumsum(lengths)]), intents)

    def batches(self, size: int, rng: np.random.Generator | None = None) -> list[NDArray[np.int64]]:
        """Return batches of rows; the requests of a batch have equal length, so that none needs padding.

        Args:
            size: Most requests of a batch.
            rng: Shuffles requests and batches; None leaves them in order.
        """
        lengths = self.lengths
        order = np.arange(len(self)) if rng is None else rng.permutation(len(self))
        batches = []
        for length in np.unique(lengths):
            rows = order[lengths[order] == length]
            batches += np.array_split(rows, -(-len(rows) // size))
        return batches if rng is None else [batches[number] for number in rng.permutation(len(batches))]


@dataclass(frozen=True)
class RequestVocabulary:
    """The words, tags and intents that a model of requests knows.

    Those of canaries are always included, even without canaries, so that the vocabulary does not leak the training
    data.

    Attributes:
        words: The words, `DUMMY` first, which replaces every unknown word.
        tags: The tags, ``O`` first.
        intents: The intents, in alphabetical order.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    intents: tuple[str, ...]

    @classmethod
    def of(cls, utterances: Utterances, public: Iterable[str] | None = None) -> "RequestVocabulary":
        """Return the vocabulary of utterances and canaries; public words replace theirs in private training."""
        patterns = PATTERNS.values()
        secret = {word for pattern in patterns for word in (*pattern.prefix, *pattern.candidates)}
        words = {word for row in utterances.words for word in row} if public is None else set(public)
        tags = {tag for slots in utterances.slots for tag in slots} | {"B-canary", "I-canary"}
        intents = {*utterances.intents, *(pattern.intent for pattern in patterns)}
        return cls((DUMMY, *sorted((words | secret) - {DUMMY})), ("O", *sorted(tags - {"O"})), tuple(sorted(intents)))

    @cached_property
    def _word_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _tag_numbers(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags)}

    @cached_property
    def _intent_numbers(self) -> dict[str, int]:
        return {intent: number for number, intent in enumerate(self.intents)}

    def numbers(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the numbers of words, (words,)."""
        return np.array([self._word_numbers.get(word, 0) for word in words], np.int64)

    def tag_numbers(self, tags: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of tags, (tags,); an unknown one has that of ``O``."""
        return np.array([self._tag_numbers.get(tag, 0) for tag in tags], np.int64)

    def intent_numbers(self, intents: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of intents, (intents,); -1 for an unknown one, which no model can predict."""
        return np.array([self._intent_numbers.get(intent, -1) for intent in intents], np.int64)

    def encode(self, utterances: Utterances) -> Encoded:
        """Return the utterances as numbers."""
        return Encoded.of(
            [self.numbers(words) for words in utterances.words],
            [self.tag_numbers(slots) for slots in utterances.slots],
            self.intent_numbers(utterances.intents),
        )
