"""Texts are read once: several at a time, equal ones never again, and each has its own content."""

import pytest

from core.text.read_once import ReadOnce


def test_equal_texts_are_read_once_and_others_in_their_order():
    read = []

    def lengths(texts):
        read.append(texts)
        return [len(text) for text in texts]

    reader = ReadOnce(lengths, str.casefold)
    assert reader(["Three", "one", "three"]) == [5, 3, 5]
    assert reader(["ONE", "fourth", "three"]) == [3, 6, 5]
    assert reader([]) == []
    assert [len(texts) for texts in read] == [2, 1]
    assert read[1] == ["fourth"]


def test_a_content_too_few_is_no_content_of_another_text():
    with pytest.raises(ValueError, match="shorter"):
        ReadOnce(lambda texts: [0 for _ in texts[1:]], str)(["one", "two"])
