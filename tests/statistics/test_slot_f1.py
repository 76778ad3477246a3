"""Slots are found where CoNLL's evaluation finds them, and counted over all requests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.slot_f1 import slot_f1, spans

TAGS = st.lists(st.sampled_from(["O", "B-city", "I-city", "B-date", "I-date"]), max_size=12)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O O", []),
        ("B-city I-city O", [(0, 2, "city")]),
        ("B-city B-city", [(0, 1, "city"), (1, 2, "city")]),
        ("I-city I-date", [(0, 1, "city"), (1, 2, "date")]),
        ("O I-city I-city B-date", [(1, 3, "city"), (3, 4, "date")]),
        ("", []),
    ],
)
def test_spans(tags, expected):
    assert sorted(spans(tags.split())) == expected


def test_f1_is_the_harmonic_mean_over_all_requests_together():
    true = [["B-city", "I-city", "O"], ["B-date", "O", "O"], ["B-city"]]
    predicted = [["B-city", "O", "O"], ["B-date", "O", "B-city"], ["B-city"]]  # 2 of 4 are right, of 3 there are
    assert slot_f1(true, predicted) == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))
    assert slot_f1([["O"]], [["O"]]) == 1.0
    assert slot_f1([["B-city"]], [["O"]]) == 0.0


@given(TAGS)
def test_spans_lie_apart_and_cover_all_that_is_tagged(tags):
    in_order = sorted(spans(tags))
    covered = [position for start, stop, _ in in_order for position in range(start, stop)]
    assert covered == [position for position, tag in enumerate(tags) if tag != "O"]
    assert all(tags[start][2:] == kind for start, _, kind in in_order)


@given(st.lists(TAGS, min_size=1, max_size=4))
def test_correct_readings_have_an_f1_of_one(requests):
    assert slot_f1(requests, requests) == 1.0
