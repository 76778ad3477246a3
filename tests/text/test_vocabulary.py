"""The words of a language model: frequent ones are tokens, the rest is one unknown word."""

from core.text.corpus import DUMMY, Corpus
from core.text.vocabulary import UNKNOWN, Vocabulary


def test_frequent_words_come_first_and_rare_ones_are_unknown() -> None:
    corpus = Corpus.encode(["tea tea milk", "tea milk cup"])
    vocabulary = Vocabulary.of(corpus, 2)
    assert vocabulary.words == ("tea", "milk")
    assert len(vocabulary) == 4
    assert [document.tolist() for document in vocabulary.encode(corpus)] == [[2, 2, 3], [2, 3, UNKNOWN]]
    assert vocabulary.tokens(["milk", "cup"]).tolist() == [3, UNKNOWN]
    assert vocabulary.word(2) == "tea"


def test_the_dummy_word_is_no_word() -> None:
    corpus = Corpus.encode(["tea kettle kettle"], dictionary=["tea"])
    assert DUMMY in corpus.words
    assert Vocabulary.of(corpus, 1).words == ("tea",)


def test_nothing_frequent_leaves_nothing() -> None:
    assert Vocabulary.of(Corpus.encode(["tea"]), 2).words == ()
