"""Resamples that are kept are those that the generator would draw, and it goes on as if it had drawn them."""

import numpy as np
import pytest

from core.statistics import resampling


@pytest.mark.parametrize("units", [1, 7, 40])
def test_they_are_the_draws_of_the_generator(units: int) -> None:
    for _ in range(2):
        one, other = (np.random.default_rng([units, 5]) for _ in range(2))
        one.integers(10, size=3, dtype=np.int32), other.integers(10, size=3, dtype=np.int32)  # half of a draw is left
        for resamples in (3, 4):
            expected = other.multinomial(units, np.full(units, 1 / units), size=resamples)
            np.testing.assert_array_equal(resampling.drawn(units, resamples, one), expected)
        assert one.integers(2**31, dtype=np.int32) == other.integers(2**31, dtype=np.int32)
        assert one.random() == other.random()


def test_what_is_changed_is_no_one_elses() -> None:
    first = resampling.drawn(4, 2, np.random.default_rng(1))
    before = first.copy()
    first += 1
    np.testing.assert_array_equal(resampling.drawn(4, 2, np.random.default_rng(1)), before)


def test_large_tables_and_other_generators_are_drawn_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = resampling._from.cache_info().currsize
    other = np.random.Generator(np.random.MT19937(1))
    assert resampling.drawn(3, 2, other).sum() == 6
    monkeypatch.setattr(resampling, "_MOST", 5)
    assert resampling.drawn(3, 2, np.random.default_rng(9)).sum() == 6
    assert resampling._from.cache_info().currsize == kept
