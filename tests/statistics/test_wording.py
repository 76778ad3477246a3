"""Shares in sentences: halves of the number as it is written are rounded away from zero."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.wording import measured, percent, written


@pytest.mark.parametrize(("right", "says"), [(1, "3%"), (3, "8%"), (5, "13%"), (33, "83%"), (35, "88%")])
def test_halves_of_forty_decisions_go_one_way(right: int, says: str) -> None:
    assert percent(right / 40) == says


@given(st.integers(1, 2000), st.data())
def test_a_share_of_counts_is_rounded_as_the_fraction(of: int, data: st.DataObject) -> None:
    share = Fraction(data.draw(st.integers(0, of)), of)
    if Fraction(2, 100) <= share < Fraction(995, 1000):
        assert percent(float(share)) == f"{(200 * share + 1) // 2}%"


def test_decimals_of_narrow_intervals_are_rounded_alike() -> None:
    assert written(0.6125, 0.61, 0.614) == ("61.3%", "61.0%", "61.4%")
    assert measured(0.0125, 0.0, 0.0625) == "1.3% (0–6%)"
