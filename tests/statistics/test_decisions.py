"""Figures against independent references."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score, roc_curve

from core.statistics import decisions
from core.statistics.decisions import Trials


def trials(plays: int = 40, targets: int = 10, gap: float = 1.0, seed: int = 0) -> Trials:
    rng = np.random.default_rng(seed)
    member = rng.random((plays, targets)) < 0.5
    score = rng.normal(size=(plays, targets)) + gap * member
    return Trials(member, score, score > gap / 2)


@given(st.integers(0, 1000), st.floats(-2, 2))
def test_roc_and_auc_agree_with_scikit_learn(seed: int, gap: float) -> None:
    made = trials(8, 5, gap, seed)
    rounded = Trials(made.member, np.round(made.score, 1), made.decision)
    if made.member.all() or not made.member.any():
        assert np.isnan(decisions.auc(rounded))
        return
    truth, score = rounded.member.ravel(), rounded.score.ravel()
    assert decisions.auc(rounded) == pytest.approx(roc_auc_score(truth, score))
    alarms, hits, _ = roc_curve(truth, score, drop_intermediate=False)
    mine = decisions.roc(rounded)
    np.testing.assert_allclose(mine, (alarms, hits))
    assert decisions.advantage(rounded) == pytest.approx(np.max(hits - alarms))


def test_rates_are_fractions_not_percent() -> None:
    """One false alarm in 200 non-members is a rate of 0.005, within 1 %, not within 0.1 %."""
    member = np.array([[True] * 100 + [False] * 200])
    score = np.concatenate([np.linspace(1, 2, 100), [5.0], np.zeros(199)])[None]
    made = Trials(member, score, score > 0.5)
    assert decisions.tpr_at(made, 0.01) == 1.0
    assert decisions.tpr_at(made, 0.005) == 1.0
    assert np.isnan(decisions.tpr_at(made, 0.001)), "200 non-members say nothing about a rate of 0.001"


def test_the_interval_of_independent_decisions_is_wilsons() -> None:
    """With a target a decision nothing is shared, and the bootstrap must come near the textbook interval."""
    made = trials(400, 1, 1.0)
    low, high = decisions.interval(made, decisions.accuracy, np.random.default_rng(0), 2000)
    right = int(np.sum(made.member == made.decision))
    wilson = binomtest(right, 400).proportion_ci(method="wilson")
    assert low == pytest.approx(wilson.low, abs=0.012)
    assert high == pytest.approx(wilson.high, abs=0.012)


def test_shared_models_widen_the_interval() -> None:
    """When a model decides the same about all targets, 400 decisions are worth 40."""
    rng = np.random.default_rng(0)
    right = np.repeat(rng.random((40, 1)) < 0.7, 10, axis=1)
    member = rng.random((40, 10)) < 0.5
    made = Trials(member, member.astype(float), member == right)
    low, high = decisions.interval(made, decisions.accuracy, np.random.default_rng(1))
    wilson = binomtest(int(right[:, 0].sum()), 40).proportion_ci(method="wilson")
    assert high - low == pytest.approx(wilson.high - wilson.low, rel=0.25)


@pytest.mark.parametrize("perfect", [True, False])
def test_a_perfect_score_keeps_an_honest_interval(perfect: bool) -> None:
    member = np.random.default_rng(0).random((20, 10)) < 0.5
    made = Trials(member, member.astype(float), member == perfect)
    low, high = decisions.interval(made, decisions.accuracy, np.random.default_rng(0))
    assert high - low > 0.05
    assert (high == 1.0) if perfect else (low == 0.0)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    covered = 0
    for seed in range(100):
        low, high = decisions.interval(trials(30, 10, 1.0, seed), decisions.auc, np.random.default_rng(seed), 200)
        covered += low <= 0.7602 <= high
    assert covered >= 88


def share(rows: np.ndarray, seed: int = 0, resamples: int = 2000) -> tuple[float, float, float]:
    hits = np.asarray(rows, dtype=np.float64)
    return decisions.mean_share(hits, np.ones(hits.shape), np.random.default_rng(seed), resamples)


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_the_interval_of_one_share_is_wilsons(rate: float) -> None:
    hits = np.random.default_rng(1).random((1, 400)) < rate
    value, low, high = share(hits)
    wilson = binomtest(int(hits.sum()), 400).proportion_ci(method="wilson")
    assert value == pytest.approx(hits.mean())
    assert (low, high) == pytest.approx((wilson.low, wilson.high), abs=0.012)


@pytest.mark.parametrize("right", [0, 30])
def test_a_share_of_nothing_or_all_gets_wilsons_bound(right: int) -> None:
    """The row with the fewest victims counts: all others are right for sure as far as anyone saw."""
    asked = np.array([[True] * 30 + [False] * 70, [True] * 100])
    value, low, high = decisions.mean_share(
        (asked * (right > 0)).astype(np.float64), asked.astype(np.float64), np.random.default_rng(0)
    )
    wilson = binomtest(right, 30).proportion_ci(method="wilson")
    assert (value, low, high) == pytest.approx((right / 30, wilson.low, wilson.high), abs=1e-4)


def test_answers_about_one_victim_stay_together() -> None:
    """Ten secrets that are all known of the same victims are worth one; ten independent ones are worth more."""
    rng = np.random.default_rng(0)
    once = rng.random((1, 200)) < 0.6
    _, low, high = share(once)
    _, low_same, high_same = share(np.repeat(once, 10, axis=0))
    _, low_apart, high_apart = share(rng.random((10, 200)) < 0.6)
    assert (low, high) == pytest.approx((low_same, high_same))
    assert high_apart - low_apart == pytest.approx((high - low) / np.sqrt(10), rel=0.2)


def test_each_secret_counts_alike_however_many_were_asked() -> None:
    asked = np.array([[1.0] * 20 + [0.0] * 80, [1.0] * 100])
    hits = asked * np.array([[0.0], [1.0]])
    value, low, high = decisions.mean_share(hits, asked, np.random.default_rng(0))
    assert value == 0.5
    assert low < 0.5 < high, "a width of 0 is widened in the middle as well"


def test_shares_are_covered_about_as_often_as_they_say() -> None:
    """Five secrets of 80 victims, some of them easier to read than others; each secret asked of half of them."""
    covered = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        ease = rng.beta(3, 2, size=80)
        asked = rng.random((5, 80)) < 0.5
        hits = asked & (rng.random((5, 80)) < ease)
        _, low, high = decisions.mean_share(hits.astype(np.float64), asked.astype(np.float64), rng, 300)
        covered += low <= 0.6 <= high
    assert 0.91 <= covered / 300 <= 0.98
