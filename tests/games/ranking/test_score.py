"""Expected figures of shorter lists are those of lists drawn at random; equals stand in random order."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from core.games.ranking.contract import Answer
from core.games.ranking.score import Scorer, chance, expected, ranks


@pytest.mark.parametrize("length", range(1, 8))
def test_a_shorter_list_gives_what_all_draws_of_decoys_give_on_average(length: int) -> None:
    above = {rank: set(range(rank - 1)) for rank in range(1, 8)}  # of six decoys, those before the own text
    drawn = [set(decoys) for decoys in combinations(range(6), length - 1)]
    figures = expected(np.arange(1, 8), 6, length)
    for rank, better in above.items():
        ranks = np.array([1 + len(better & decoys) for decoys in drawn])
        assert figures["accuracy"][rank - 1] == pytest.approx((ranks == 1).mean())
        assert figures["reciprocal_rank"][rank - 1] == pytest.approx((1 / ranks).mean())
    for name, level in chance(length).items():
        assert figures[name].mean() == pytest.approx(level), "a random order makes all places equally likely"


def test_places_are_those_counted_by_hand_and_equals_share_theirs_by_lot() -> None:
    similarity = np.array([[0.9, 0.1, 0.5], [0.9, 0.1, 0.5], [0.9, 0.1, 0.5]])
    assert ranks(similarity, np.array([0, 1, 2]), np.random.default_rng(0)).tolist() == [1, 3, 2]
    equal = ranks(np.zeros((3000, 4)), np.zeros(3000, np.int64), np.random.default_rng(0))
    assert np.bincount(equal)[1:] / 3000 == pytest.approx([0.25] * 4, abs=0.04)


def test_figures_and_tables_agree() -> None:
    rng = np.random.default_rng(1)
    own_rows, member = np.array([2, 0, 5, 7, 9]), np.isin(np.arange(40), [2, 0, 5, 7, 9])
    similarity = rng.normal(size=(5, 40)) + 2 * (np.arange(40) == own_rows[:, None])
    scorer = Scorer(own_rows, member, np.arange(5), np.full(5, -1), 1)
    answer = Answer(similarity, similarity.max(axis=0) - 2.5)
    estimates, tables = scorer.estimates(answer), scorer.tables({"attack": answer})
    rankings = tables["rankings"].set_index(["candidates", "measure"])["value"]
    assert set(tables["rankings"]["candidates"]) == {10, 20, 40}
    ranks_of_victims = tables["places"]["place"]
    assert rankings[40, "accuracy"] == estimates["accuracy"].value == (ranks_of_victims == 1).mean()
    assert rankings[40, "reciprocal_rank"] == pytest.approx((1 / ranks_of_victims).mean())
    assert (rankings[:, "accuracy"].diff().dropna() <= 0).all(), "a longer list is harder"
    first = tables["places"]["similarity"] > tables["places"]["best_decoy"]
    assert first.tolist() == (ranks_of_victims == 1).tolist()
    assert estimates["found"].decisions == 5 and estimates["false_alarms"].decisions == 35
    assert estimates["found"].value == (answer.stored[member] > 0).mean()
    assert tables["stored"]["member"].tolist() == member.tolist()


def test_answers_drawn_at_random_exclude_chance_at_most_as_often_as_promised() -> None:
    """By the bootstrap alone, 10 of 60 intervals of the mean reciprocal rank did, and 5 of the true-positive rate."""
    excluded = Counter[str]()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        member = np.arange(200) < 100
        scorer = Scorer(np.arange(100), member, np.arange(100), np.full(100, -1), seed)
        figures = scorer.estimates(Answer(rng.normal(size=(100, 200)), rng.normal(size=200)))
        for name, figure in figures.items():
            excluded[name] += figure.chance is not None and not figure.low <= figure.chance <= figure.high
    assert set(excluded) == {"accuracy", "reciprocal_rank", "auc", "tpr_at_1pct_fpr", "found", "false_alarms"}
    assert max(excluded.values()) <= 7, "5% of 60 are 3; more than 7 have a probability below 2%"
