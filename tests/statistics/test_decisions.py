"""Figures against independent references."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score, roc_curve

from core.statistics.decisions import Decisions
from core.statistics.jackknife import figures_over_targets
from core.statistics.measures import ROC_RESAMPLES


def decided(models: int = 40, targets: int = 10, gap: float = 1.0, seed: int = 0) -> Decisions:
    rng = np.random.default_rng(seed)
    member = rng.random((models, targets)) < 0.5
    score = rng.normal(size=(models, targets)) + gap * member
    return Decisions(member, score, guess=score > gap / 2)


def interval(decisions: Decisions, name: str) -> tuple[float, float]:
    figure = figures_over_targets(decisions, [name], np.random.default_rng(0))[name]
    return figure.low, figure.high


@given(st.integers(0, 1000), st.floats(-2, 2))
def test_roc_and_auc_agree_with_scikit_learn(seed: int, gap: float) -> None:
    few = decided(8, 5, gap, seed)
    rounded = Decisions(few.member, np.round(few.score, 1))
    if few.member.all() or not few.member.any():
        assert np.isnan(rounded.value("auc"))
        return
    truth, score = rounded.member.ravel(), rounded.score.ravel()
    assert rounded.value("auc") == pytest.approx(roc_auc_score(truth, score))
    alarms, hits, _ = roc_curve(truth, score, drop_intermediate=False)
    assert rounded.value("advantage") == pytest.approx(np.max(hits - alarms))
    curve = rounded.roc(alarms, np.random.default_rng(0), resamples=2)
    highest = [hits[alarms <= rate].max() for rate in alarms]
    assert [row["true_positive_rate"] for row in curve] == pytest.approx(highest)


def test_the_band_of_a_curve_lies_around_it_with_as_many_resamples_as_a_game_takes() -> None:
    rows = list(decided().roc(np.array([0.1, 0.3, 0.5]), np.random.default_rng(0), ROC_RESAMPLES))
    assert all(row["low"] < row["true_positive_rate"] < row["high"] for row in rows)


def test_rates_are_fractions_not_percent() -> None:
    """One false alarm in 200 non-members is a rate of 0.005, within 1%, not within 0.1%."""
    member = np.array([[True] * 100 + [False] * 200])
    score = np.concatenate([np.linspace(1, 2, 100), [5.0], np.zeros(199)])[None]
    decisions = Decisions(member, score)
    assert decisions.value("tpr_at_1pct_fpr") == 1.0
    rates = decisions.roc(np.array([0.004, 0.005]), np.random.default_rng(0), resamples=2)
    assert [row["true_positive_rate"] for row in rates] == [0.0, 1.0]
    assert np.isnan(decisions.value("tpr_at_0.1pct_fpr")), "200 non-members say nothing about a rate of 0.001"


def test_the_interval_of_independent_decisions_is_wilsons() -> None:
    """With a target a decision nothing is shared, and the jackknife must come near the textbook interval."""
    decisions = decided(400, 1, 1.0)
    low, high = interval(decisions, "accuracy")
    right = int(np.sum(decisions.member == decisions.positive))
    wilson = binomtest(right, 400).proportion_ci(method="wilson")
    assert low == pytest.approx(wilson.low, abs=0.012)
    assert high == pytest.approx(wilson.high, abs=0.012)


def test_shared_models_widen_the_interval() -> None:
    """When a model decides the same about all targets, 400 decisions are worth 40."""
    rng = np.random.default_rng(0)
    right = np.repeat(rng.random((40, 1)) < 0.7, 10, axis=1)
    member = rng.random((40, 10)) < 0.5
    low, high = interval(Decisions(member, member.astype(float), guess=member == right), "accuracy")
    wilson = binomtest(int(right[:, 0].sum()), 40).proportion_ci(method="wilson")
    assert high - low == pytest.approx(wilson.high - wilson.low, rel=0.25)


@pytest.mark.parametrize("perfect", [True, False])
def test_a_perfect_score_keeps_an_honest_interval(perfect: bool) -> None:
    member = np.random.default_rng(0).random((20, 10)) < 0.5
    low, high = interval(Decisions(member, member.astype(float), guess=member == perfect), "accuracy")
    assert high - low > 0.05
    assert (high == 1.0) if perfect else (low == 0.0)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    covered = 0
    for seed in range(100):
        low, high = interval(decided(30, 10, 1.0, seed), "auc")
        covered += low <= 0.7602 <= high
    assert covered >= 88


def test_estimates_say_what_is_finite_with_chance_and_counts() -> None:
    decisions = decided()
    names = ("accuracy", "advantage", "tpr_at_0.1pct_fpr")
    figures = figures_over_targets(decisions, names, np.random.default_rng(0))
    estimates = decisions.estimates(figures, suffix="_rival", remark=" Of a rival.")
    assert list(estimates) == ["accuracy_rival", "advantage_rival"], "too few non-members for a rate of 0.001"
    accuracy = estimates["accuracy_rival"]
    assert (accuracy.chance, accuracy.help) == (0.5, "Share of right guesses. Of a rival.")
    assert accuracy.members == decisions.member.sum() and accuracy.members + accuracy.nonmembers == 400
