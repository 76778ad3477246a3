"""The ranking of models about one target at a time: known answers, and how often its interval covers the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from core.statistics.decisions import Decisions
from core.statistics.within_target import auc_within


def drawn(rng: np.random.Generator, models: int, targets: int, *, leak: float, levels: float) -> tuple:
    """Draw bits, and scores that rise by a leak that differs by target, from a level of each target and model."""
    member = rng.random((models, targets)) < 0.5
    rise, level = rng.normal(leak, 0.5 if leak else 0, targets), rng.normal(0, levels, targets)
    score = member * rise + level + rng.normal(0, 0.3, (models, 1)) + rng.normal(size=(models, targets))
    return member, score


def test_levels_of_the_targets_hide_what_each_shows() -> None:
    member = np.array([[True, False], [False, True], [True, True], [False, False]])
    score = member + np.array([0.0, 10.0])
    assert Decisions(member, score).value("auc") == 0.75
    value, low, high = auc_within(member, score)
    assert (value, high) == (1.0, 1.0)
    assert 0 < low < 1, "two targets prove little"


def test_it_is_the_mean_of_what_scikit_learn_finds_for_each_target() -> None:
    member, score = drawn(np.random.default_rng(0), 40, 6, leak=1.0, levels=1.0)
    score = score.round(1)  # with ties
    expected = np.mean([roc_auc_score(member[:, target], score[:, target]) for target in range(6)])
    value, low, high = auc_within(member, score)
    assert value == pytest.approx(expected)
    assert low < value < high


def test_a_target_that_is_always_in_or_never_says_nothing() -> None:
    member, score = drawn(np.random.default_rng(0), 20, 4, leak=1.0, levels=1.0)
    member[:, 0], member[:, 1] = True, False
    assert auc_within(member, score) == auc_within(member[:, 2:], score[:, 2:])
    assert np.isnan(auc_within(member[:, :2], score[:, :2])).all()
    value, low, high = auc_within(member[:, :3], score[:, :3])
    assert 0 < value < 1 and np.isnan([low, high]).all(), "one target has no spread"


@given(st.lists(st.floats(-1e3, 1e3), min_size=5, max_size=5), st.integers(0, 99))
def test_no_level_of_a_target_changes_it(levels: list[float], seed: int) -> None:
    member, score = drawn(np.random.default_rng(seed), 12, 5, leak=1.0, levels=1.0)
    score = score.round(3)
    assert auc_within(member, score) == auc_within(member, (score + np.round(levels)).round(3))


@pytest.mark.parametrize("leak", [0.0, 1.0, 2.5])
def test_its_interval_covers_the_truth_about_as_often_as_it_says(leak: float) -> None:
    """Fifty models and ten targets, as in Figures 3 to 5; the truth is that of many targets and models."""
    rng = np.random.default_rng(0)
    truth = np.mean([auc_within(*drawn(rng, 200, 200, leak=leak, levels=1.0)).value for _ in range(4)])
    intervals = [auc_within(*drawn(rng, 50, 10, leak=leak, levels=1.0)) for _ in range(200)]
    covered = np.mean([low <= truth <= high for _, low, high in intervals])
    assert covered >= 0.92
