"""Methods stand beside each other word by word, and what is said of them is counted."""

import pytest

from dashboard.topics.inversion.figures import methods
from dashboard.topics.inversion.figures.inversion import Recovery
from dashboard.topics.inversion.figures.methods import MethodRecovery

READINGS = [
    MethodRecovery("classification", Recovery(("the", "pizza"), ("nice",), ("was",))),
    MethodRecovery("sparse coding", Recovery(("the",), (), ("pizza", "was"))),
]
ORDER = ["the", "pizza", "was"]


def test_each_word_has_one_mark_for_each_method() -> None:
    figure = methods.figure(READINGS, ORDER)
    named, missed = ({*zip(trace.x, trace.y, strict=True)} for trace in figure.data)
    assert named == {(0, 0), (0, 1), (1, 0)} and missed == {(0, 2), (1, 1), (1, 2)}
    assert list(figure.layout.yaxis.ticktext) == ORDER
    assert list(figure.layout.xaxis.ticktext) == ["Classification", "Sparse coding"]


def test_the_sentence_counts_right_and_wrong_and_what_all_and_none_name() -> None:
    sentence = methods.sentence(READINGS)
    assert sentence == (
        "Words named, of 3 different words in the text: classification, 2 right and 1 wrong; sparse coding, 1 right "
        "and 0 wrong. 1 word was found by every method; 1 word was missed by all."
    )


def test_the_table_has_wrong_words_too() -> None:
    rows = methods.table(READINGS, ORDER)
    assert {"method": "classification", "word": "nice", "there": False, "named": True} in rows
    assert len(rows) == 2 * 3 + 1


@pytest.mark.parametrize("order", [[], [f"word{number}" for number in range(90)]])
def test_a_text_without_words_and_a_long_one_are_drawn(order: list[str]) -> None:
    recovery = Recovery(tuple(order[::2]), (), tuple(order[1::2]))
    readings = [MethodRecovery("a", recovery), MethodRecovery("b", recovery)]
    figure = methods.figure(readings, order)
    assert figure.layout.height < 1400
    assert methods.sentence(readings).startswith("The text has no word" if not order else "Words named, of 90")
