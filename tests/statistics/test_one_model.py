"""Intervals about one model: perfect scores exclude chance, and random ones do so no more often than promised."""

import numpy as np

from core.statistics.one_model import OfOneModel, random_marks, under_marks


def decided(member: np.ndarray, score: np.ndarray, cluster: np.ndarray | None = None) -> OfOneModel:
    clusters = np.arange(len(member)) if cluster is None else cluster
    return OfOneModel(member[None], score[None].astype(float), np.zeros(1, np.int64), clusters)


def test_a_perfect_score_excludes_chance() -> None:
    member = np.arange(200) % 2 == 0
    figures = decided(member, np.where(member, 1.0, -1.0)).figures(["accuracy", "auc"], np.random.default_rng(0))
    assert all(figure.low > 0.9 for figure in figures.values())


def test_random_scores_exclude_chance_at_most_as_often_as_promised() -> None:
    chances = {"accuracy": 0.5, "auc": 0.5, "tpr_at_1pct_fpr": 0.01}
    excluded = dict.fromkeys(chances, 0)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        member = rng.permutation(np.arange(200) % 2 == 0)
        for name, (_, low, high) in decided(member, rng.normal(size=200)).figures(chances, rng).items():
            excluded[name] += not low <= chances[name] <= high
    assert max(excluded.values()) <= 7, "5% of 60 are 3; more than 7 have a probability below 2%"


def test_marks_of_one_owner_stay_together() -> None:
    cluster = np.repeat(np.arange(12), 10)
    member = cluster % 2 == 0
    score = np.repeat(np.random.default_rng(3).normal(size=12), 10)
    by_owner = decided(member, score, cluster).figures(["auc"], np.random.default_rng(0))["auc"]
    alone = decided(member, score).figures(["auc"], np.random.default_rng(0))["auc"]
    assert by_owner.high - by_owner.low > alone.high - alone.low
    assert by_owner.low <= 0.5 <= by_owner.high


def test_owners_of_unequal_many_targets_keep_one_mark_each() -> None:
    cluster = np.repeat(np.arange(8), [1, 2, 3, 5, 8, 13, 21, 34])
    drawn = random_marks(cluster % 2 == 0, cluster, np.random.default_rng(0))
    by_owner = [drawn[:, cluster == owner] for owner in range(8)]
    assert all((marks == marks[:, :1]).all() for marks in by_owner)
    assert (sum(marks[:, 0].astype(int) for marks in by_owner) == 4).all(), "as many owners are in"
    assert len(np.unique(drawn, axis=0)) > 50


def test_marks_that_differ_within_an_owner_stay_as_many() -> None:
    cluster, member = np.repeat(np.arange(6), 4), np.arange(24) % 3 == 0
    assert (random_marks(member, cluster, np.random.default_rng(0)).sum(axis=1) == member.sum()).all()


def test_figures_under_all_marks_at_once_are_those_under_each_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    member = np.arange(150) % 3 > 0
    for score in (rng.normal(size=150) + member, (rng.normal(size=150) + member).round()):
        decisions = decided(member, score)
        marks = random_marks(member, np.arange(150), rng)[:40]
        for name in OfOneModel.statistics:
            each = [decided(drawn, score).value(name) for drawn in marks]
            assert np.array_equal(under_marks(decisions, marks, name), each, equal_nan=True), name
