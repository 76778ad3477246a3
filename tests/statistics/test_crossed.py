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


@given(st.integers(0, 999), st.integers(3, 20), st.integers(3, 20))
def test_it_holds_the_figure_and_stays_within_its_bounds(seed: int, models: int, targets: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((models, targets)) < rng.random(targets)
    value, low, high = interval(float(right.mean()), without_each(right))
    assert 0 <= low <= value <= high <= 1
    mirrored = interval(float((~right).mean()), without_each(~right))
    assert mirrored == pytest.approx((1 - value, 1 - high, 1 - low))
