"""No text is on both sides."""

import numpy as np

from core.text.split import split_texts


def test_equal_texts_are_on_one_side_once() -> None:
    texts = ("One tree.", "one TREE", "two", "three", "")
    adversary, holder = split_texts(texts, np.array([4, 1, 3, 0, 2]), 0.5)
    assert adversary.tolist() == [3, 4]
    assert holder.tolist() == [0, 2]


def test_words_that_differ_in_their_marks_alone_are_different() -> None:
    texts = ("\u0939\u093f\u0928", "\u0939\u0940\u0928", "\u0939\u093f\u0928!")
    assert split_texts(texts, np.arange(3), 0.0)[1].tolist() == [0, 1]


def test_a_share_of_nothing_leaves_all_to_the_victims() -> None:
    adversary, holder = split_texts(("a", "b"), np.arange(2), 0.0)
    assert len(adversary) == 0
    assert holder.tolist() == [0, 1]
    assert len(split_texts((), np.arange(0), 0.5)[1]) == 0
