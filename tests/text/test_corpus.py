"""Documents as word ids, against plain Python."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.text.corpus import DUMMY, Corpus, words_of

TEXTS = st.lists(
    st.lists(st.sampled_from(["one", "two", "three", "four", "five"]), max_size=12).map(" ".join), max_size=8
)


@given(TEXTS)
def test_encoding_keeps_every_word_in_its_place(texts: list[str]) -> None:
    corpus = Corpus.encode(texts)
    assert len(corpus) == len(texts)
    for number, text in enumerate(texts):
        assert [corpus.words[word] for word in corpus.document(number)] == text.split()
    counted = Counter(" ".join(texts).split())
    assert dict(zip(corpus.words, corpus.counts().tolist(), strict=True)) == counted


@given(TEXTS, st.integers(1, 5))
def test_rare_words_go_and_the_rest_stays_in_place(texts: list[str], minimum: int) -> None:
    corpus = Corpus.encode(texts).frequent(minimum)
    counted = Counter(" ".join(texts).split())
    for number, text in enumerate(texts):
        expected = [word for word in text.split() if counted[word] >= minimum]
        assert [corpus.words[word] for word in corpus.document(number)] == expected


@given(TEXTS.filter(len), st.data())
def test_selected_documents_come_in_the_order_asked(texts: list[str], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=10))
    corpus = Corpus.encode(texts).select(chosen)
    assert [[corpus.words[word] for word in corpus.document(row)] for row in range(len(chosen))] == [
        texts[number].split() for number in chosen
    ]


def test_words_outside_the_dictionary_become_one() -> None:
    corpus = Corpus.encode(["one two seven", "eight"], dictionary=["one", "two"])
    assert [corpus.words[word] for word in corpus.tokens] == ["one", "two", DUMMY, DUMMY]


def test_no_documents_are_no_error() -> None:
    empty = Corpus.encode([])
    assert len(empty) == 0
    assert empty.frequent(1).counts().shape == (0,)
    assert empty.select(np.empty(0, np.int64)).tokens.dtype == np.int32


@given(st.text())
def test_no_text_has_words_with_digits_or_spaces(text: str) -> None:
    for word in words_of(text):
        assert word
        assert not any(letter.isdecimal() or letter.isspace() for letter in word)
