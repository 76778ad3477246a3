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
    """Both variances hold that of decisions."""
    variance, freedom, _ = crossed(1.0, 1.0, 1.0, models=models, targets=targets)
    assert variance == pytest.approx(1.0)
    assert freedom >= min(models, targets) - 1


def test_what_varies_between_decisions_takes_no_more_than_half_away() -> None:
    """Else units that are more alike than decisions, by luck, would leave no variance."""
    assert crossed(0.2, 0.8, 1.0, models=50, targets=4).value == pytest.approx(0.5)
    assert crossed(1.2, 0.9, 1.0, models=50, targets=4).value == pytest.approx(1.2 + 0.9 - (199 - 58.8 - 2.7) / 147)
    assert crossed(0.0, 0.0, 1.0, models=50, targets=4).value == 0


@pytest.mark.parametrize("models", [50, 5000])
def test_few_targets_that_differ_have_no_more_freedom_than_their_number_whatever_the_number_of_models(
    models: int,
) -> None:
    variance, freedom, _ = crossed(1.0, 100.0, 1.0, models=models, targets=4)
    assert variance == pytest.approx(100.0, rel=0.02)
    assert freedom == pytest.approx(3.0, rel=0.03)


def test_few_models_that_are_alike_by_luck_take_nothing_from_many_targets() -> None:
    assert crossed(0.0, 1.0, 1.0, models=3, targets=400).value == pytest.approx(1.0)
    assert crossed(0.2, 1.0, 1.0, models=3, targets=400).value == pytest.approx(1.0)
    assert crossed(5.0, 1.0, 1.0, models=3, targets=400).value > 5


def test_models_that_decide_alike_make_no_target_count_more_than_once() -> None:
    of_targets = np.random.default_rng(0).random((1, 12)) < 0.7
    two, five = (interval(of_targets.mean(), without_each(np.tile(of_targets, (models, 1)))) for models in (2, 5))
    assert two == pytest.approx(five, abs=0.01)


def test_models_count_for_the_freedom_with_what_they_add_alone() -> None:
    alike, apart = (crossed(by_model, 1.0, 1.0, models=3, targets=50).freedom for by_model in (1.0, 100.0))
    assert alike > 30
    assert apart == pytest.approx(2.0, rel=0.05)


def test_the_only_target_that_is_decided_wrongly_leaves_an_interval() -> None:
    right = np.ones((30, 10), np.bool_)
    right[:3, 0] = False
    value, low, high = interval(right.mean(), without_each(right))
    assert 0.85 < low < value < high < 1


def test_targets_that_are_all_told_nearly_perfectly_may_hide_half_a_target_that_is_guessed() -> None:
    """Of ten targets and 50 models, ten models err about one target each: 9.8 and 0.25 right of 10.5 targets."""
    right = np.ones((50, 10), np.bool_)
    right[np.arange(10), np.arange(10)] = False
    value, low, high = interval(right.mean(), without_each(right))
    assert (value, low) == pytest.approx((0.98, (9.8 + 0.25) / 10.5))
    assert value < high < 1
    assert interval((~right).mean(), without_each(~right)).high == pytest.approx(1 - low)


@pytest.mark.parametrize("targets", [4, 10, 50, 1000])
def test_the_more_targets_the_less_may_be_hidden(targets: int) -> None:
    right = np.ones((50, targets), np.bool_)
    right[0, :] = np.arange(targets) % 2
    share = interval(right.mean(), without_each(right))
    assert share.low <= share.value - (share.value - 0.5) * 0.5 / (targets + 0.5) + 1e-9


def test_what_hides_among_targets_is_no_matter_where_they_are_seen_to_differ_or_there_is_one() -> None:
    """The variance between targets that differ moderately reaches further, and a single target stands for no others."""
    rng = np.random.default_rng(0)
    right = rng.random((50, 10)) < rng.uniform(0.6, 1, 10)
    value, low, _ = interval(right.mean(), without_each(right))
    assert low < value - 3 * (value - 0.5) * 0.5 / 10.5
    one = rng.random((40, 1)) < 0.98
    decisions = Without(without_each(np.tile(one, (1, 2))).model, np.array([np.nan]), np.full(40, one.mean()))
    assert interval(one.mean(), decisions).low > one.mean() - (one.mean() - 0.5) / 3


def test_a_difference_of_two_rates_has_the_interval_of_the_share_that_it_comes_from() -> None:
    right = np.random.default_rng(0).random((20, 8)) < 0.7
    without = without_each(right)
    share = interval(right.mean(), without)
    difference = interval(2 * right.mean() - 1, Without(*(2 * each - 1 for each in without)), lowest=-1.0)
    assert difference == pytest.approx([2 * end - 1 for end in share])


@given(st.integers(0, 999), st.sampled_from([(2, 20), (3, 20), (20, 8), (50, 4)]), st.floats(0.5, 0.95))
def test_a_maximum_reaches_further_down_and_never_below_none(seed: int, counts: tuple[int, int], share: float) -> None:
    right = np.random.default_rng(seed).random(counts) < share
    value, without = 2 * right.mean() - 1, Without(*(2 * each - 1 for each in without_each(right)))
    plain, largest = (interval(value, without, lowest=-1.0, maximum=maximum) for maximum in (False, True))
    assert largest.low == 0 or largest.low <= plain.low
    assert largest.low >= 0 and plain.high == largest.high


def test_a_maximum_reaches_further_down_where_decisions_vary() -> None:
    right = np.random.default_rng(0).random((20, 8)) < 0.8
    value, without = 2 * right.mean() - 1, Without(*(2 * each - 1 for each in without_each(right)))
    plain, largest = (interval(value, without, lowest=-1.0, maximum=maximum) for maximum in (False, True))
    assert 0 < largest.low < plain.low


def test_a_unit_that_alone_makes_a_figure_is_the_only_one() -> None:
    """One model calls members: leaving it out leaves no precision, and the others are no evidence."""
    without = Without(np.array([np.nan, *[0.7] * 9]), np.linspace(0.6, 0.8, 12), np.full(120, 0.7))
    alone = interval(0.7, Without(np.array([np.nan]), *without[1:]))
    assert interval(0.7, without) == alone and alone.high - alone.low > 0.1


def test_figures_that_differ_by_rounding_do_not_differ() -> None:
    right = np.add.outer(np.arange(3), np.arange(3)) % 3 < 2
    assert interval(right.mean(), without_each(right))[1:] == (right.mean(), right.mean())


@pytest.mark.parametrize("counts", [(1, 40), (40, 1)])
def test_a_single_model_or_target_leaves_the_variance_between_the_others(counts: tuple[int, int]) -> None:
    models, targets = counts
    variances = (0.0, 3.0) if models == 1 else (3.0, 0.0)
    assert crossed(*variances, 3.0, models=models, targets=targets) == (3.0, 39, 0.0)


@given(st.integers(0, 999), st.integers(3, 20), st.integers(3, 20))
def test_it_holds_the_figure_and_stays_within_its_bounds(seed: int, models: int, targets: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((models, targets)) < rng.random(targets)
    value, low, high = interval(float(right.mean()), without_each(right))
    assert 0 <= low <= value <= high <= 1
    mirrored = interval(float((~right).mean()), without_each(~right))
    assert mirrored == pytest.approx((1 - value, 1 - high, 1 - low))
