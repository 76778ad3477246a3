"""A text as a set of words, and how well such a set was named."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from core.text import word_sets

WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


@given(WORDS)
def test_order_and_number_do_not_count(words: list[str]) -> None:
    assert word_sets.word_set(" ".join(words)) == word_sets.word_set(" ".join(reversed(words * 2))) == frozenset(words)


@given(st.text(max_size=20))
def test_a_text_has_words_or_not(text: str) -> None:
    assert word_sets.has_words(text) == bool(word_sets.word_set(text))
    assert word_sets.all_of((text, "Ab a")) == (word_sets.word_set(text), frozenset({"ab", "a"}))


def test_letters_of_any_script_make_words_and_case_does_not_matter() -> None:
    assert word_sets.word_set("Straße, STRASSE! नमस्ते 5_pm") == {"strasse", "नमस्ते", "5_pm"}


def test_presence_counts_a_word_once_a_text() -> None:
    matrix = word_sets.presence(list(map(word_sets.word_set, ["b a b", "", "c x"])), ("a", "b", "c"))
    np.testing.assert_array_equal(matrix.toarray(), [[1, 1, 0], [0, 0, 0], [0, 0, 1]])
    assert word_sets.presence([frozenset("ab")], ()).shape == (1, 0)


@given(st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=6), st.permutations("abcdxyz"))
def test_presence_is_what_a_vectorizer_of_scikit_learn_counts(texts: list[frozenset[str]], words: list[str]) -> None:
    matrix = word_sets.presence(texts, words)
    expected = CountVectorizer(analyzer=list, vocabulary=words, dtype=np.float32).transform(texts)
    for name in ("indptr", "indices", "data"):
        one, other = getattr(matrix, name), getattr(expected, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other), "to the byte: keys of trainings hold it"
    assert matrix.shape == expected.shape


def test_stop_words_are_those_of_scikit_learn() -> None:
    assert word_sets._stop_words() == ENGLISH_STOP_WORDS


def test_precision_and_recall_are_those_counted_by_hand() -> None:
    named = np.array([[1, 1, 0], [0, 0, 0], [1, 0, 0]], np.bool_)
    present = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0]], np.bool_)
    precision, recall = word_sets.overlap(named, present, np.array([4, 2, 0]))
    np.testing.assert_array_equal(precision, [0.5, 0, 0])
    np.testing.assert_array_equal(recall, [0.25, 0, np.nan])
    assert word_sets.f1(0.5, 0.25) == 1 / 3
    assert word_sets.f1(0.0, 0.0) == 0


def test_the_best_threshold_lies_between_what_is_there_and_what_is_not() -> None:
    present = np.random.default_rng(0).random((30, 20)) < 0.3
    present[:, 0] = True
    scores = np.where(present, 0.7, 0.4).astype(np.float32)
    threshold, f1 = word_sets.best_threshold(scores, present, present.sum(axis=1))
    assert 0.4 <= threshold < 0.7
    assert f1 > 0.99
