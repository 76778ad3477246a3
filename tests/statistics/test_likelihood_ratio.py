"""Decision rules find what is planted, and nothing where nothing is planted or allowed."""

import numpy as np
import pytest
from scipy.stats import norm

from core.games.example_membership import ExampleMembership
from core.statistics.decisions import Decisions
from core.statistics.likelihood_ratio import RULES, ShadowStatistics, best_threshold, offline_ratio

GAME = ExampleMembership(couples=8)


def planted(apart: float, examples: int = 400, groups: int = 2, wide: float = 10.0) -> tuple[np.ndarray, ...]:
    """Numbers that are higher by so much in models with the example, each example having a level of its own."""
    rng = np.random.default_rng(3)
    member = GAME.draw(examples, 5)
    group = np.arange(examples) % groups
    level = wide * rng.normal(size=examples)
    return level + apart * member + rng.normal(size=member.shape), member, group


def judged(rule: str, statistic: np.ndarray, member: np.ndarray, group: np.ndarray) -> tuple[float, float]:
    score = GAME.judge(RULES[rule], statistic, member, group)
    decisions = Decisions(member, score)
    return decisions.value("auc"), decisions.value("accuracy")


def test_the_likelihood_ratio_sees_past_the_level_of_each_example() -> None:
    """With means known for sure the AUC would be that of two unit Gaussians two apart."""
    area, right = judged("likelihood_ratio", *planted(2.0))
    assert norm.cdf(2 / np.sqrt(2)) - 0.03 < area < norm.cdf(2 / np.sqrt(2)) + 0.01
    assert right > 0.8
    assert judged("one_threshold", *planted(2.0))[0] < 0.6


def test_thresholds_by_group_see_past_the_level_of_each_group() -> None:
    statistic, member, group = planted(3.0, wide=0.0)
    statistic = statistic + 50.0 * group
    assert judged("one_threshold", statistic, member, group)[0] < 0.78
    assert judged("group_thresholds", statistic, member, group)[0] > 0.9


def test_a_difference_that_examples_share_is_trusted_more_than_their_own() -> None:
    """Seven models with each example say little about one difference; all examples together say much."""
    area, _ = judged("likelihood_ratio", *planted(0.5))
    assert area > norm.cdf(0.5 / np.sqrt(2)) - 0.03


@pytest.mark.parametrize("apart", [0.0, 3.0])
def test_models_without_an_example_alone_tell_it_and_keep_a_false_positive_rate(apart: float) -> None:
    statistic, member, group = planted(apart)
    decisions = Decisions(member, GAME.judge(offline_ratio, statistic, member, group))
    assert decisions.positive[~member].mean() == pytest.approx(0.05, abs=0.02)
    assert decisions.value("auc") == pytest.approx(norm.cdf(apart / np.sqrt(2)), abs=0.04)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("wide", [0.0, 10.0])
def test_nothing_planted_is_chance(rule: str, wide: float) -> None:
    area, right = judged(rule, *planted(0.0, wide=wide))
    assert area == pytest.approx(0.5, abs=0.025) and right == pytest.approx(0.5, abs=0.025)


@pytest.mark.parametrize("rule", RULES)
def test_bits_of_other_draws_are_chance(rule: str) -> None:
    statistic, member, group = planted(2.0, wide=0.0)
    other = GAME.draw(member.shape[1], 6)
    area, right = judged(rule, statistic, other, group)
    assert area == pytest.approx(0.5, abs=0.06) and right == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("rule", RULES)
def test_the_scores_of_a_target_do_not_depend_on_the_bits_of_its_couple(rule: str) -> None:
    statistic, member, group = planted(1.0)
    before = GAME.judge(RULES[rule], statistic, member, group)
    flipped = member.copy()
    flipped[4:6] ^= True
    after = GAME.judge(RULES[rule], statistic, flipped, group)
    assert (after[4:6] == before[4:6]).all(), "its own bits and its twin's are nowhere looked at"
    assert (after[:4] != before[:4]).any(), "those of shadows are"
    other = statistic.copy()
    other[5] += 3.0
    assert (GAME.judge(RULES[rule], other, member, group)[4] == before[4]).all(), "nor are its twin's numbers"


@pytest.mark.parametrize("rule", RULES)
def test_a_number_that_never_varies_is_no_error(rule: str) -> None:
    _, member, group = planted(0.0)
    score = GAME.judge(RULES[rule], np.full(member.shape, 0.3), member, group)
    assert np.isfinite(score).all() and len(np.unique(score > 0)) == 1


def test_models_that_are_all_the_same_rank_nothing() -> None:
    """The mean of equal numbers may differ from them in the last digit."""
    _, member, group = planted(0.0)
    level = np.random.default_rng(4).normal(size=member.shape[1])
    assert set(GAME.judge(offline_ratio, np.tile(level, (len(member), 1)), member, group).flat) == {0.0}


@pytest.mark.parametrize(
    ("values", "members", "threshold"),
    [([1, 2, 3, 4], [0, 0, 1, 1], 2.5), ([1, 1, 1, 2], [0, 0, 1, 1], 1.5), ([3, 4], [0, 0], 4.0)],
)
def test_the_best_threshold_lies_where_most_are_right(values: list[int], members: list[int], threshold: float) -> None:
    assert best_threshold(np.array(values, float), np.array(members, bool)) == threshold


def test_all_are_members_where_that_is_right_most_often() -> None:
    assert best_threshold(np.array([3.0, 4.0]), np.array([True, True])) < 3


def test_shadows_are_cut_by_model_and_by_example() -> None:
    statistic, member, group = planted(1.0, examples=6)
    shadows = ShadowStatistics(statistic, member, GAME.couple, group)
    assert shadows.models(GAME.couple > 5).statistic.shape == (4, 6)
    cut = shadows.examples(group == 1)
    assert cut.statistic.shape == (16, 3) and set(cut.group) == {1}
