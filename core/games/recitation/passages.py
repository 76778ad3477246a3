"""The passages that are planted in the training text, and which of them are common phrases."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.text.corpus import DUMMY, Corpus

_AT_ONCE = 500
"""Documents that are read at a time."""

Words = list[str]


@dataclass(frozen=True)
class Passages:
    """Passages of different documents, and the other documents.

    Attributes:
        words: The words of each passage: the longest prefix, then what is to be recited.
        rows: (passages,) row of each one's document in the dataset.
        starts: (passages,) number of the passage's first word in its document.
        common: (passages,) whether what is to be recited stands word for word in another document that was read.
        background: The words of each of the other documents.
        known: By length of a prefix in tokens, (passages,) how many words that is; empty where words are counted.
    """

    words: tuple[Words, ...]
    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    common: NDArray[np.bool_]
    background: tuple[Words, ...]
    known: Mapping[int, NDArray[np.int64]] = field(default_factory=dict)

    def words_before(self, length: int) -> NDArray[np.int64]:
        """Return how many words a prefix of some length is, (passages,)."""
        return self.known.get(length, np.full(len(self.rows), length))

    def prefixes(self, length: int, longest: int) -> list[Words]:
        """Return the words of some length before what is to be recited; passages begin with the longest prefix."""
        ends, counts = self.words_before(longest).tolist(), self.words_before(length).tolist()
        return [words[end - count : end] for words, end, count in zip(self.words, ends, counts, strict=True)]

    def truths(self, longest: int) -> list[Words]:
        """Return the words that are to be recited, after the longest prefix."""
        return [words[end:] for words, end in zip(self.words, self.words_before(longest).tolist(), strict=True)]

    def in_tokens(self, counts: Sequence[NDArray[np.int64]], lengths: Sequence[int], recited: int) -> "Passages":
        """Return the passages with prefixes that fit the lengths in whole words, and no words before the longest.

        Args:
            counts: Tokens of each word of each passage.
            lengths: Tokens of the prefixes.
            recited: Words to be recited.
        """
        backwards = [np.cumsum(tokens[: len(tokens) - recited][::-1]) for tokens in counts]
        known = {
            length: np.array([max(int(np.searchsorted(sums, length, side="right")), 1) for sums in backwards], np.int64)
            for length in lengths
        }
        first = np.array([len(words) - recited for words in self.words], np.int64) - known[max(lengths)]
        words = tuple(words[start:] for words, start in zip(self.words, first.tolist(), strict=True))
        return replace(self, words=words, starts=self.starts + first, known=known)


def draw(
    read: Callable[[NDArray[np.int64]], Corpus],
    documents: int,
    wanted: tuple[int, int],
    lengths: tuple[int, int],
    rng: np.random.Generator,
) -> Passages:
    """Draw passages from random documents, one each, and other documents; fewer where there are no more.

    Each word that is to be recited is one of the dictionary's: no model would ever say another.

    Args:
        read: Returns the corpus of some rows of the dataset.
        documents: Documents of the dataset.
        wanted: Number of passages, and of other documents.
        lengths: Words of the longest prefix, and words to be recited.
        rng: Source of the drawing.
    """
    order = rng.permutation(documents)
    chosen: list[tuple[Words, int, int]] = []
    background: list[Words] = []
    for first in range(0, documents, _AT_ONCE):
        rows = order[first : first + _AT_ONCE]
        for row, words in zip(rows.tolist(), read(rows).texts(), strict=True):
            starts = _possible(words, *lengths) if len(chosen) < wanted[0] else ()
            if len(starts):
                start = int(rng.choice(starts))
                chosen.append((words[start : start + sum(lengths)], row, start))
            elif words and len(background) < wanted[1]:
                background.append(words)
        if (len(chosen), len(background)) == wanted:
            break
    passages = [words for words, _, _ in chosen]
    return Passages(
        tuple(passages),
        np.array([row for _, row, _ in chosen], np.int64),
        np.array([start for _, _, start in chosen], np.int64),
        common([words[lengths[0] :] for words in passages], [*passages, *background]),
        tuple(background),
    )


def common(runs: Sequence[Words], documents: Sequence[Words]) -> NDArray[np.bool_]:
    """Return which runs of words, equally long, stand in more than one place of some documents, (runs,).

    >>> lunch, noon = "shall we meet for lunch".split(), "we meet at noon".split()
    >>> common([["we", "meet"], ["for", "lunch"]], [lunch, noon])
    array([ True, False])
    """
    if not runs:
        return np.zeros(0, np.bool_)
    length, wanted = len(runs[0]), {tuple(run) for run in runs}
    counts = dict.fromkeys(wanted, 0)
    for words in documents:
        for start in range(len(words) - length + 1):
            if (run := tuple(words[start : start + length])) in wanted:
                counts[run] += 1
    return np.array([counts[tuple(run)] > 1 for run in runs])


def _possible(words: Words, prefix: int, recited: int) -> NDArray[np.int64]:
    """Return where a passage may begin in a document."""
    known = np.array([word != DUMMY for word in words], np.int64)
    if len(known) < prefix + recited:
        return np.empty(0, np.int64)
    in_row = np.convolve(known, np.ones(recited, np.int64), mode="valid")  # known words among those from each place
    return np.flatnonzero(in_row[prefix:] == recited)
