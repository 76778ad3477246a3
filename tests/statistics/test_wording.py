"""Shares in sentences: halves of the number as it is written are rounded away from zero."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import published
from core.commands import summary
from core.report import numbers
from core.result import Estimate
from core.statistics.wording import area, decimal, measured, percent, written


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


@pytest.mark.parametrize("hits", [9, 29, 90, 126, 150])
def test_all_that_print_three_decimals_round_halves_alike(hits: int) -> None:
    share = hits / 160
    whole, half = divmod(2000 * hits, 2 * 160)
    assert decimal(share) == f"{(200 * hits + 160) // 320 / 100:.2f}"
    says = f"0.{whole + (half >= 160):03}"
    estimate = Estimate(value=share, low=share - 0.05, high=share + 0.05, chance=0.5, unit="share of decisions")
    (line,) = summary.figures({"accuracy": estimate})
    assert line.split()[1] == says
    assert published._measured("accuracy", estimate).startswith(f"`accuracy` {says} [")
    assert numbers.written(share) == says


def test_areas_round_halves_away_from_zero() -> None:
    assert area(0.625, 0.125, 0.875) == "0.63 (0.13–0.88)"
