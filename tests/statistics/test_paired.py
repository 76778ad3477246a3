"""Differences of pairs: their intervals hold the truth about as often as promised, also where records repeat."""

import numpy as np

from core.statistics.paired import difference_of_pairs


def test_the_interval_holds_the_truth_where_records_are_asked_about_several_times() -> None:
    rng, held = np.random.default_rng(0), 0
    for _ in range(400):
        record = np.repeat(np.arange(40), 5)
        easy = rng.random(40)[record]  # answers about one record are alike
        first, second = (rng.random(200) < easy**power for power in (0.5, 1.0))
        _, low, high = difference_of_pairs(first, second, record)
        held += low <= 2 / 3 - 1 / 2 <= high
    assert 0.92 < held / 400 < 0.98


def test_answers_that_agree_are_not_shown_to_differ_and_more_records_say_more() -> None:
    few, many = (difference_of_pairs(np.ones(n, bool), np.ones(n, bool), np.arange(n)) for n in (10, 1000))
    assert few.low < many.low < 0 < many.high < few.high
    apart = difference_of_pairs(np.ones(50, bool), np.zeros(50, bool), np.arange(50))
    assert 0 < apart.low < apart.value == apart.high == 1
