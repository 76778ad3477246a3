"""Intervals of figures whose decisions share models and targets: a known answer, and how far one unit counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit
from scipy.stats import t as student

from core.statistics.crossed import Without, crossed, interval


def without_each(right: np.ndarray) -> Without:
    """Return the share of right decisions, (models, targets), without each model, target and decision."""
    models, targets = right.shape
    return Without(
        (right.sum() - right.sum(axis=1)) / (targets * (models - 1)),
        (right.sum() - right.sum(axis=0)) / (models * (targets - 1)),
        ((right.sum() - right) / (right.size - 1)).ravel(),
    )


def test_where_only_targets_differ_it_is_students_interval_over_targets() -> None:
    shares = np.array([0.5, 0.54, 0.58, 0.62])
    without = Without(np.full(50, 0.56), (shares.sum() - shares) / 3, np.full(200, 0.56))
    value, low, high = interval(0.56, without)
    error = shares.std(ddof=1) / 2 / (0.56 * 0.44)
    reach = student.ppf(0.975, 3) * error
    assert [logit(high) - logit(value), logit(value) - logit(low)] == pytest.approx([reach, reach], rel=0.01)


@pytest.mark.parametrize(("models", "targets"), [(50, 4), (4, 50), (12, 12)])
def test_decisions_that_share_nothing_are_counted_once(models: int, targets: int) -> None:
    """Both variances hold that of decisions; what is left is at least the one of the fewer."""
    variance, freedom = crossed(1.1, 0.9, 1.0, models=models, targets=targets)
    assert variance == pytest.approx(1.1 if models < targets else 1.0)
    assert freedom >= min(models, targets) - 1


def test_the_only_target_that_is_decided_wrongly_leaves_an_interval() -> None:
    right = np.ones((30, 10), np.bool_)
    right[:3, 0] = False
    value, low, high = interval(right.mean(), without_each(right))
    assert 0.85 < low < value < high < 1


def test_a_difference_of_two_rates_has_the_interval_of_the_share_that_it_comes_from() -> None:
    right = np.random.default_rng(0).random((20, 8)) < 0.7
    without = without_each(right)
    share = interval(right.mean(), without)
    difference = interval(2 * right.mean() - 1, Without(*(2 * each - 1 for each in without)), lowest=-1.0)
    assert difference == pytest.approx([2 * end - 1 for end in share])


def test_a_maximum_reaches_further_down_and_never_below_none() -> None:
    right = np.random.default_rng(0).random((20, 8)) < 0.55
    value, without = 2 * right.mean() - 1, Without(*(2 * each - 1 for each in without_each(right)))
    plain, largest = (interval(value, without, lowest=-1.0, maximum=maximum) for maximum in (False, True))
    assert plain.low < 0 == largest.low and plain.high == largest.high
    strong = Without(*(each + 0.5 for each in without))
    plain, largest = (interval(value + 0.5, strong, lowest=-1.0, maximum=maximum) for maximum in (False, True))
    assert 0 < largest.low < plain.low and plain.high == largest.high


@pytest.mark.parametrize("counts", [(1, 40), (40, 1)])
def test_a_single_model_or_target_leaves_the_variance_between_the_others(counts: tuple[int, int]) -> None:
    models, targets = counts
    variances = (0.0, 3.0) if models == 1 else (3.0, 0.0)
    assert crossed(*variances, 3.0, models=models, targets=targets) == (3.0, 39)


@given(st.integers(0, 999), st.integers(3, 20), st.integers(3, 20))
def test_it_holds_the_figure_and_stays_within_its_bounds(seed: int, models: int, targets: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((models, targets)) < rng.random(targets)
    value, low, high = interval(float(right.mean()), without_each(right))
    assert 0 <= low <= value <= high <= 1
    mirrored = interval(float((~right).mean()), without_each(~right))
    assert mirrored == pytest.approx((1 - value, 1 - high, 1 - low))
