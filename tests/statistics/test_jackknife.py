"""Intervals by the jackknife: known answers, edges, and what makes them wide."""

import numpy as np
import pytest
from scipy.stats import norm

from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval
from core.statistics.jackknife import figures_over_targets
from tests.campaigns.coverage import KINDS, Scores


def figure(member: np.ndarray, score: np.ndarray, name: str) -> Interval:
    return figures_over_targets(Decisions(member, score), [name], np.random.default_rng(0))[name]


def drawn(models: int, targets: int, leak: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    member = rng.random((models, targets)) < 0.5
    return member, member * leak - leak / 2 + rng.normal(size=(models, targets))


def test_figures_come_in_the_order_asked_and_lie_within_their_intervals() -> None:
    names = ("auc", "tpr_at_1pct_fpr", "advantage", "accuracy", "precision", "recall")
    intervals = figures_over_targets(Decisions(*drawn(30, 10, 1.0)), names, np.random.default_rng(0))
    assert tuple(intervals) == names
    for each in intervals.values():
        assert 0 <= each.low < each.value < each.high <= 1


def test_what_targets_share_and_what_models_share_widens_the_interval() -> None:
    member, score = drawn(30, 10, 0.0)
    rng = np.random.default_rng(1)
    widths = [
        np.diff(figure(member, (2 * member - 1) * (shared > 0.4), "accuracy")[1:])
        for shared in (rng.random((30, 10)), np.tile(rng.random((30, 1)), 10), np.tile(rng.random(10), (30, 1)))
    ]
    apart, by_model, by_target = widths
    assert by_model > 1.5 * apart and by_target > 2 * apart
    assert figure(member, score, "auc").low < 0.5 < figure(member, score, "auc").high


def test_intervals_over_few_targets_hold_the_truth_under_a_strong_leak() -> None:
    """Four or six targets, as in probing; with Satterthwaite's freedom alone 88% of them did."""
    played = [KINDS["auc over 4 to 6 targets"](np.random.default_rng(seed), "strong") for seed in range(200)]
    assert np.mean([low <= truth <= high for truth, (_, low, high) in played]) >= 0.93


def test_intervals_over_few_models_and_many_targets_hold_the_truth() -> None:
    """Three models and 400 targets, as in audits of language models: the models' own variance is small by luck."""
    held = []
    for seed in range(200):
        rng, scores = np.random.default_rng(seed), Scores("strong")
        member = rng.random((3, 400)) < 0.5
        low, high = figure(member, scores.draw(rng, member), "accuracy")[1:]
        held.append(low <= scores.truth("accuracy") <= high)
    assert np.mean(held) >= 0.93


def test_an_advantage_by_chance_alone_reaches_down_to_none() -> None:
    """The largest of many differences is above 0 whatever is guessed; chance says how far."""
    inside = 0
    for seed in range(20):
        member, score = drawn(30, 10, 0.0, seed)
        advantage = figure(member, score, "advantage")
        chance = Decisions(member, score).chance_advantage(np.random.default_rng(seed))
        assert 0 < chance < 0.2
        inside += advantage.low < 0.02
    assert inside >= 17
    member, score = drawn(30, 10, 2.0)
    leaked = figure(member, score, "advantage")
    assert leaked.low > Decisions(member, score).chance_advantage(np.random.default_rng(0))


@pytest.mark.parametrize("name", ["auc", "accuracy", "advantage"])
def test_a_figure_at_its_edge_keeps_a_width(name: str) -> None:
    member = np.random.default_rng(0).random((20, 8)) < 0.5
    value, low, high = figure(member, member - 0.5, name)
    assert value == high == 1
    assert low == pytest.approx(1 - 3.84 / 11.84), "eight targets prove that much"


def test_one_class_alone_has_no_area_and_no_chance() -> None:
    member = np.ones((5, 4), np.bool_)
    assert np.isnan(figure(member, np.zeros((5, 4)), "auc")).all()
    assert Decisions(member, np.zeros((5, 4))).chance_advantage(np.random.default_rng(0)) == 0


def test_two_positive_decisions_that_are_right_prove_no_more_than_two() -> None:
    member, score = drawn(50, 10, 0.0)
    score = np.where(np.cumsum(member.ravel()).reshape(member.shape) <= 2, member - 0.5, -1.0)
    value, low, _ = figure(member, score, "precision")
    assert value == 1 and low == pytest.approx(1 - 3.84 / 5.84)


def test_scores_that_are_all_equal_have_an_area_of_one_half_without_doubt() -> None:
    member = np.random.default_rng(1).permuted(np.tile(np.arange(40) < 20, (3, 1)), axis=1)
    alike = figures_over_targets(Decisions(member, np.full(member.shape, 0.25)), ["auc"], np.random.default_rng(1))
    assert alike["auc"] == Interval(0.5, 0.5, 0.5)
    one = np.full(member.shape, 0.25)
    one[0, 0] = 0.5
    assert figures_over_targets(Decisions(member, one), ["auc"], np.random.default_rng(1))["auc"].low < 0.5


@pytest.mark.parametrize(
    ("share", "level", "held"), [(0.05, 0.5, 0.952), (0.05, 2.0, 0.881), (0.9, 0.5, 0.956), (0.9, 2.0, 0.904)]
)
def test_a_share_beyond_a_threshold_is_held_less_often_where_levels_differ(
    share: float, level: float, held: float
) -> None:
    """Levels of ten targets, in standard deviations of the noise; the documentation has these shares of 1,000 games."""
    rng = np.random.default_rng(0)
    threshold, holding = norm.isf(share) * (level**2 + 1) ** 0.5, 0
    for _ in range(1_000):
        scores = rng.normal(0, level, 10) + rng.normal(size=(50, 10))
        decisions = Decisions(rng.random(scores.shape) < 0.5, scores, guess=scores > threshold)
        _, low, high = figures_over_targets(decisions, ["recall"], rng)["recall"]
        holding += low <= share <= high
    assert holding / 1_000 == pytest.approx(held, abs=5e-3)
