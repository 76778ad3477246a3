"""Retrieval from a defended store: all neighbours without a defense, none but by chance behind much noise."""

import numpy as np
import pytest

from core.result import Estimate
from core.targets import retrieval
from core.targets.retrieval import Queries, Searched

PLAIN = np.random.default_rng(0).normal(size=(400, 32)).astype(np.float32)


def measured(stored: np.ndarray, queries: Queries | None = None) -> tuple[Estimate, Estimate]:
    """Return recall and nDCG."""
    rng = np.random.default_rng(2)
    searched = retrieval.searched(PLAIN, stored, rng, queries=queries)
    assert searched is not None
    return searched.recall(rng), searched.ndcg(rng)


def behind(noise: float) -> list[float]:
    stored = PLAIN + np.random.default_rng(1).normal(0, noise, PLAIN.shape).astype(np.float32)
    figures = measured(stored)
    assert all(figure.low <= figure.value <= figure.high for figure in figures)
    return [figure.value for figure in figures]


def test_noise_takes_neighbours_away_one_by_one() -> None:
    assert behind(0.0) == [1.0, 1.0]
    shares = np.array([behind(noise) for noise in (0.0, 0.2, 1.0, 100.0)])  # (noise, measure)
    assert (np.diff(shares, axis=0) < 0).all()
    chances = [figure.chance for figure in measured(PLAIN)]
    assert chances[0] == 10 / 399
    np.testing.assert_allclose(shares[-1], chances, atol=0.01)


def test_ndcg_is_that_counted_by_hand() -> None:
    near = np.arange(10)[None]
    kept = {name: np.array([order]) for name, order in {"same": range(10), "turned": range(9, -1, -1)}.items()}
    first_only = np.array([[0, *range(20, 29)]])

    def value(returned: np.ndarray) -> float:
        return Searched(near, returned, 100, "a text").ndcg(np.random.default_rng(0)).value

    assert value(kept["same"]) == 1
    ideal = sum((10 - rank) / np.log2(rank + 2) for rank in range(10))
    turned = sum((rank + 1) / np.log2(rank + 2) for rank in range(10))
    assert value(kept["turned"]) == pytest.approx(turned / ideal)
    assert value(first_only) == pytest.approx(10 / ideal)
    assert Searched(near, kept["turned"], 100, "a text").recall(np.random.default_rng(0)).value == 1


def test_only_directions_count_and_zeros_break_nothing() -> None:
    assert measured(7 * PLAIN)[0].value == 1.0
    assert measured(0 * PLAIN)[0].value < 0.1


def test_queries_of_ones_own_are_searched_for_instead() -> None:
    queries = PLAIN[:30] + np.float32(0.01)
    same, turned = (measured(PLAIN, Queries(queries, some)) for some in (queries, queries[:, ::-1]))
    assert [figure.value for figure in same] == [1, 1]
    assert same[0].decisions == 30
    assert same[0].chance == 10 / 400
    assert "your queries" in same[1].help
    assert turned[0].value < 0.2, "who does not ask as the store is kept finds nothing"


def test_too_few_texts_have_no_ten_neighbours() -> None:
    assert retrieval.searched(PLAIN[:11], PLAIN[:11], np.random.default_rng(0)) is None
