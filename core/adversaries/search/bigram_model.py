"""A bigram model that writes texts and edits them, given how likely an embedding makes each word."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.text import word_sets
from core.text.words import words_in

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

Proposal = tuple[int, ...]
"""Numbers of the tokens of a text."""

END = 0
"""The token that stands before the first word and after the last."""
_SMOOTHING = 20.0
_LONGEST = 60
"""Most tokens of a text, if not said otherwise."""
_AGAIN = 0.05
"""Factor on the odds of a token that the text has already."""
_EDITS = ("replace", "insert", "drop", "move", "splice")
_CUMULATIVE = np.cumsum([0.45, 0.25, 0.15, 0.08, 0.07]).tolist()
"""Cumulative probability of the edits."""


def tokens_of(text: str) -> list[str]:
    """Return the words of a text and the non-space characters between them, in order.

    >>> tokens_of("We can't, Bob!")
    ['We', 'can', "'", 't', ',', 'Bob', '!']
    """
    tokens, end = [], 0
    for word in words_in(text):
        tokens += [*"".join(text[end : word.start()].split()), word.group()]
        end = word.end()
    return [*tokens, *"".join(text[end:].split())]


@dataclass(frozen=True)
class BigramModel:
    """A bigram language model, smoothed towards token frequencies.

    P(b | a) = (n(a, b) + s p(b)) / (n(a) + s), with s = 20 (MacKay and Peto 1995).

    Attributes:
        tokens: What may be written, by falling frequency, after the empty token `END`.
        follows: (tokens, tokens) how often each follows each.
        longest: Most tokens of a text.
    """

    tokens: tuple[str, ...]
    follows: "csr_array"
    longest: int

    @classmethod
    def of(cls, texts: Sequence[str], words: Sequence[str], longest: int = _LONGEST) -> "BigramModel":
        """Learn from texts.

        Args:
            texts: Any.
            words: In lower case, those that may be written; marks always may. Other words are skipped.
            longest: Most tokens of a text that is written or edited.
        """
        from scipy.sparse import coo_array

        allowed = frozenset(words)
        written = [[token for token in tokens_of(text) if word_sets.word_set(token) <= allowed] for text in texts]
        counted = Counter(token for text in written for token in text)
        tokens = ("", *(token for token, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))))
        number = {token: index for index, token in enumerate(tokens)}
        rows = [[END, *map(number.__getitem__, text), END] for text in written if text]
        before, after = ([token for row in rows for token in row[part]] for part in (slice(-1), slice(1, None)))
        counts = np.ones(len(before), np.float32)
        follows = coo_array((counts, (before, after)), shape=(len(tokens), len(tokens)), dtype=np.float32)
        return cls(tokens, follows.tocsr(), longest)

    def numbers(self, text: str) -> Proposal:
        """Return the tokens of a text that may be written."""
        return tuple(self._number[token] for token in tokens_of(text) if token in self._number)

    def text(self, proposal: Proposal) -> str:
        """Return a proposal as a string."""
        return " ".join(self.tokens[token] for token in proposal)

    def odds(self, words: Sequence[str], factors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return by what factor each token is likelier than usual, 1 for marks; (texts, tokens).

        Args:
            words: In lower case.
            factors: (texts, words) by what factor each is likelier than usual.
        """
        columns = np.array(self.columns(words))
        return np.where(columns < 0, np.float32(1), factors[:, columns])

    def columns(self, words: Sequence[str]) -> list[int]:
        """Return the number of each token's word, -1 for marks.

        Args:
            words: In lower case.
        """
        column = {word: number for number, word in enumerate(words)}
        return [column.get(token.casefold(), -1) for token in self.tokens]

    def write(self, odds: NDArray[np.float32], rng: np.random.Generator) -> Proposal:
        """Write a text, each token drawn given the one before it and the odds.

        Args:
            odds: (tokens,) by what factor each is likelier than usual.
            rng: Draws them.
        """
        left, before = odds.copy(), END
        text: list[int] = []
        while len(text) < self.longest:
            likely = self._after(before) * left
            if not text:
                likely[END] = 0
            before = _draw(likely, rng)
            if before == END:
                break
            text.append(before)
            left[before] *= _AGAIN
        return tuple(text)

    def edit(
        self, proposal: Proposal, other: Proposal, odds: NDArray[np.float32], rng: np.random.Generator
    ) -> Proposal:
        """Return a text with one edit: a token replaced, inserted, dropped or moved, or the end of another spliced on.

        Args:
            proposal: What is edited; at least one token.
            other: Another text.
            odds: (tokens,) by what factor each is likelier than usual.
            rng: Draws the edit.
        """
        text = list(proposal)
        at = int(rng.integers(len(text)))
        match _EDITS[min(bisect_right(_CUMULATIVE, rng.random()), len(_EDITS) - 1)]:
            case "replace":
                text[at] = self._between(text, at, at + 1, odds, rng)
            case "insert":
                at = int(rng.integers(len(text) + 1))
                text.insert(at, self._between(text, at, at, odds, rng))
            case "drop" if len(text) > 1:
                del text[at]
            case "move":
                moved = text.pop(at)
                text.insert(int(rng.integers(len(text) + 1)), moved)
            case "splice":
                text = [*text[: at + 1], *other[int(rng.integers(len(other) + 1)) :]]
        return tuple(text[: self.longest])

    def _between(
        self, text: Sequence[int], end: int, start: int, odds: NDArray[np.float32], rng: np.random.Generator
    ) -> int:
        """Draw a token to stand after the first ``end`` ones of a text and before those from ``start`` on."""
        likely = self._after(text[end - 1] if end else END) * odds
        likely *= self._before(text[start] if start < len(text) else END)
        likely[list(text)] *= _AGAIN
        likely[END] = 0
        return _draw(likely, rng)

    def _after(self, token: int) -> NDArray[np.float32]:
        """Return the probability of each token after one, (tokens,)."""
        likely = _SMOOTHING * self._shares
        row = slice(*self.follows.indptr[token : token + 2])
        likely[self.follows.indices[row]] += self.follows.data[row]
        return np.asarray(likely / (self._totals[token] + _SMOOTHING), np.float32)

    def _before(self, token: int) -> NDArray[np.float32]:
        """Return the probability of one token after each, (tokens,)."""
        counts = np.full(len(self.tokens), _SMOOTHING * self._shares[token], np.float32)
        column = slice(*self._columns.indptr[token : token + 2])
        counts[self._columns.indices[column]] += self._columns.data[column]
        return np.asarray(counts / (self._totals + _SMOOTHING), np.float32)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens) if number != END}

    @cached_property
    def _columns(self) -> "csc_array":
        return self.follows.tocsc()

    @cached_property
    def _totals(self) -> NDArray[np.float32]:
        return np.asarray(self.follows.sum(axis=1), np.float32).ravel()

    @cached_property
    def _shares(self) -> NDArray[np.float32]:
        counts = np.asarray(self.follows.sum(axis=0), np.float32).ravel()
        return np.asarray(counts / max(float(counts.sum()), 1.0), np.float32)


def _draw(likely: NDArray[np.float32], rng: np.random.Generator) -> int:
    """Draw a number in proportion to unnormalised probabilities."""
    cumulative = likely.cumsum(dtype=np.float64)
    return min(int(cumulative.searchsorted(rng.random() * cumulative[-1], side="right")), len(likely) - 1)
