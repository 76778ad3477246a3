"""No text is on both sides."""

import numpy as np

from core.division import divided


def test_equal_texts_are_on_one_side_once() -> None:
    texts = ("One tree.", "one TREE", "two", "three", "")
    adversary, holder = divided(texts, np.array([4, 1, 3, 0, 2]), 0.5)
    assert adversary.tolist() == [3, 4]
    assert holder.tolist() == [0, 2]


def test_a_share_of_nothing_leaves_all_to_the_victims() -> None:
    adversary, holder = divided(("a", "b"), np.arange(2), 0.0)
    assert len(adversary) == 0
    assert holder.tolist() == [0, 1]
    assert len(divided((), np.arange(0), 0.5)[1]) == 0
