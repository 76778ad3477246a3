"""Power: what is said to be found with probability 0.9 is found that often, and no more than the decisions allow."""

import numpy as np
import pytest
from scipy.stats import binom

from core.result import Estimate
from core.statistics.intervals import uncertain
from core.statistics.power import POWER, independent, least_detectable, least_share


@pytest.mark.parametrize(("chance", "decisions"), [(0.5, 100), (0.5, 16_000), (0.05, 300)])
def test_the_least_share_is_found_with_the_probability_promised(chance: float, decisions: int) -> None:
    least = least_share(chance, decisions)
    assert least is not None
    needed = binom.isf(0.025, decisions, chance) + 1
    assert binom.sf(needed - 1, decisions, chance) <= 0.025
    assert binom.sf(needed - 1, decisions, least) == pytest.approx(POWER)


def test_an_area_that_is_just_found_is_above_chance_in_nine_of_ten_experiments() -> None:
    rng, members = np.random.default_rng(1), 200
    by_chance = ((2 * members + 1) / (12 * members**2)) ** 0.5
    measured = Estimate(
        value=0.5,
        low=0.5 - 1.96 * by_chance,
        high=0.5 + 1.96 * by_chance,
        chance=0.5,
        unit="probability",
        members=members,
        nonmembers=members,
    )
    least = least_detectable(measured)
    assert least is not None
    shift = 2**0.5 * float(np.quantile(rng.standard_normal(10**6), least))  # of two normal distributions with this area
    inside = rng.standard_normal((600, members, 1)) + shift
    areas = (inside > rng.standard_normal((600, 1, members))).mean(axis=(1, 2))
    assert (areas - 1.96 * by_chance > 0.5).mean() == pytest.approx(POWER, abs=0.04)


def test_decisions_that_share_victims_count_for_fewer() -> None:
    few = Estimate(value=0.5, low=0.3, high=0.7, chance=0.5, unit="share of decisions", decisions=10_000)
    many = few.model_copy(update={"low": 0.49, "high": 0.51})
    assert independent(few) < 25 < independent(many) < 10_000
    assert least_detectable(few) > least_detectable(many)  # type: ignore[operator]
    low, high = uncertain(1.0, 1.0, 50)
    assert independent(few.model_copy(update={"value": 1.0, "low": low, "high": high})) == pytest.approx(50, rel=0.01)


def test_nothing_is_said_where_nothing_could_have_been_found() -> None:
    known = Estimate(value=0.5, low=0.0, high=1.0, chance=0.5, unit="share of decisions", decisions=4)
    for changes in ({}, {"chance": None}, {"chance": 1.0}, {"low": 0.5, "high": 0.5}, {"low": float("nan")}):
        assert least_detectable(known.model_copy(update=changes)) is None
