"""Word sets: texts as sets of words, regardless of order and number."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.text.words import folded_words, words_in

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_SHORTEST = 3
_THRESHOLDS = np.linspace(0.02, 0.9, 45)


def word_set(text: str) -> frozenset[str]:
    """Return the different words of a text, case folded.

    >>> sorted(word_set("The cat saw the other cat."))
    ['cat', 'other', 'saw', 'the']
    """
    return frozenset(folded_words(text))


@lru_cache(maxsize=4)
def all_of(texts: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return the words of each text; the games of an audit ask about the same texts."""
    return tuple(map(word_set, texts))


def has_words(text: str) -> bool:
    """Tell whether a text has any word.

    >>> has_words("Oh!"), has_words("?!")
    (True, False)
    """
    return next(words_in(text.casefold()), None) is not None


def frequencies(word_sets: Iterable[frozenset[str]]) -> dict[str, int]:
    """Return the number of texts with each word, the most frequent first, ties in alphabetical order.

    >>> frequencies(map(word_set, ["a b", "b c b"]))
    {'b': 2, 'a': 1, 'c': 1}
    """
    counts = Counter(word for words in word_sets for word in words)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def presence(word_sets: Sequence[frozenset[str]], words: Sequence[str]) -> "csr_matrix":
    """Return which texts have which words, (texts, words) of 0 and 1."""
    from scipy.sparse import csr_matrix

    columns = {word: column for column, word in enumerate(words)}
    rows = [sorted(columns[word] for word in some if word in columns) for some in word_sets]
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    indices = np.fromiter(chain.from_iterable(rows), np.int32, int(ends[-1]))
    return csr_matrix((np.ones(len(indices), np.float32), indices, ends), shape=(len(rows), len(columns)))


def sizes(word_sets: Iterable[frozenset[str]]) -> NDArray[np.int64]:
    """Return the number of distinct words of each text, (texts,)."""
    return np.array([len(words) for words in word_sets], np.int64)


def overlap(
    chosen: NDArray[np.bool_], present: NDArray[np.bool_], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return precision and recall of the words predicted for each text, each (texts,).

    Precision is 0 without predicted words. Recall is NaN for a text without words.

    Args:
        chosen: (texts, words) whether a word is predicted.
        present: (texts, words) whether the text has it.
        sizes: (texts,) number of distinct words of each text, those outside ``words`` included.
    """
    correct = (chosen & present).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return correct / np.maximum(chosen.sum(axis=1), 1), correct / sizes


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall, 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def best_threshold(
    probabilities: NDArray[np.float32], present: NDArray[np.bool_], sizes: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the threshold on probabilities with the best F1, and that F1.

    Precision and recall are averaged over the texts first, as they are for victims.

    Args:
        probabilities: (texts, words) predicted probability that a text has a word.
        present: (texts, words) whether it does.
        sizes: (texts,) number of distinct words of each text.
    """
    texts, words = np.nonzero(probabilities > _THRESHOLDS[0])
    exceeded = np.searchsorted(_THRESHOLDS, probabilities[texts, words])  # how many of the thresholds
    chosen = _above_each(texts, exceeded, len(present))
    hits = present[texts, words]
    correct = _above_each(texts[hits], exceeded[hits], len(present))
    with np.errstate(invalid="ignore"):
        precision, recall = correct / np.maximum(chosen, 1), correct / sizes
    averaged = zip(precision.mean(axis=1).tolist(), np.nanmean(recall, axis=1).tolist(), strict=True)
    scored = [f1(*of_texts) for of_texts in averaged]
    best = int(np.argmax(scored))
    return float(_THRESHOLDS[best]), scored[best]


def _above_each(texts: NDArray[np.intp], exceeded: NDArray[np.intp], count: int) -> NDArray[np.int64]:
    """Return how many predictions of each of ``count`` texts exceed each threshold, (thresholds, texts)."""
    steps = len(_THRESHOLDS)
    by_number = np.bincount((steps - exceeded) * count + texts, minlength=steps * count).reshape(steps, count)
    return np.ascontiguousarray(by_number.cumsum(axis=0)[::-1])


def is_content(word: str) -> bool:
    """Tell whether a word is a content word: at least three letters, and no stop word.

    >>> [word for word in ("the", "pizza", "was", "ok") if is_content(word)]
    ['pizza']
    """
    return len(word) >= _SHORTEST and word not in _stop_words()


@cache
def _stop_words() -> frozenset[str]:
    """Return scikit-learn's English stop words, which are kept beside the code: loading the library takes a second."""
    return frozenset(Path(__file__).with_name("stop_words.txt").read_text("utf-8").split())
