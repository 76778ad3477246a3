"""Texts as sets of words: what is left to find in a text when order and number do not count."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.text.words import words_in

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_SHORTEST = 3
_THRESHOLDS = np.linspace(0.02, 0.9, 45)


def word_set(text: str) -> frozenset[str]:
    """Return the different words of a text, case folded.

    >>> sorted(word_set("The cat saw the other cat."))
    ['cat', 'other', 'saw', 'the']
    """
    return frozenset(word.group() for word in words_in(text.casefold()))


def frequencies(word_sets: Iterable[frozenset[str]]) -> dict[str, int]:
    """Return how many texts have each word, the most frequent first; of equals the first of the alphabet.

    >>> frequencies(map(word_set, ["a b", "b c b"]))
    {'b': 2, 'a': 1, 'c': 1}
    """
    counted = Counter(word for words in word_sets for word in words)
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def presence(word_sets: Sequence[frozenset[str]], words: Sequence[str]) -> "csr_array":
    """Return which words stand in which texts, (texts, words) of 0 and 1."""
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import CountVectorizer

    if not words:
        return csr_array((len(word_sets), 0), dtype=np.float32)
    return CountVectorizer(analyzer=list, vocabulary=words, dtype=np.float32).transform(word_sets)


def sizes(word_sets: Iterable[frozenset[str]]) -> NDArray[np.int64]:
    """Return how many different words each text has, (texts,)."""
    return np.array([len(words) for words in word_sets], np.int64)


def overlap(
    chosen: NDArray[np.bool_], present: NDArray[np.bool_], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return precision and recall of the words named for each text, each (texts,).

    Who names no word has a precision of 0. A text without any word has a recall of NaN.

    Args:
        chosen: (texts, words) whether a word was named.
        present: (texts, words) whether it stands there.
        sizes: (texts,) how many different words stand there, those outside ``words`` included.
    """
    right = (chosen & present).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return right / np.maximum(chosen.sum(axis=1), 1), right / sizes


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall, 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def best_threshold(
    told: NDArray[np.float32], present: NDArray[np.bool_], sizes: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the threshold above which words should be named for the best F1, and that F1.

    Precision and recall are averaged over the texts first, as they are for victims.

    Args:
        told: (texts, words) how likely a word stands in a text, from 0 to 1.
        present: (texts, words) whether it does.
        sizes: (texts,) how many different words stand in each.
    """
    scored = []
    for threshold in _THRESHOLDS:
        precision, recall = overlap(told > threshold, present, sizes)
        scored.append(f1(float(precision.mean()), float(np.nanmean(recall))))
    best = int(np.argmax(scored))
    return float(_THRESHOLDS[best]), scored[best]


def is_content(word: str) -> bool:
    """Tell whether a word says something by itself: at least three letters, and none of scikit-learn's stop words.

    >>> [word for word in ("the", "pizza", "was", "ok") if is_content(word)]
    ['pizza']
    """
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return len(word) >= _SHORTEST and word not in ENGLISH_STOP_WORDS
