"""Continuations follow a deterministic text, draws agree with their rates, and neither says a special token."""

import numpy as np
import pytest

from core.networks.language.next_word import Shape, initial
from core.networks.language.next_word_predictor import NextWordPredictor
from core.text.vocabulary import BOUNDARY, UNKNOWN


@pytest.fixture(scope="module", params=["lstm", "gpt2"])
def predictor(request: pytest.FixtureRequest) -> NextWordPredictor:
    shape = Shape(request.param, words=7, dimension=8, layers=1, heads=2, length=4, dropout=0.0, softmax="full")
    return NextWordPredictor(shape, initial(shape, np.random.default_rng(3)))


PREFIXES = [np.array([2, 3]), np.array([4]), np.array([5, 6, 2, 3, 4, 5])]


def test_greedy_is_the_likeliest_word_each_time_in_any_batch(predictor: NextWordPredictor) -> None:
    continuations = predictor.continued(PREFIXES, 3)
    for prefix, words in zip(PREFIXES, continuations, strict=True):
        assert np.array_equal(predictor.continued([prefix], 3)[0], words)
    first = predictor.likeliest([np.append(PREFIXES[0], 2)], [np.array([2])])[0]
    assert continuations[0, 0] == first[0]
    assert not np.isin(continuations, [BOUNDARY, UNKNOWN]).any()
    assert predictor.continued([], 3).shape == (0, 3)


def test_one_candidate_or_no_warmth_is_greedy(predictor: NextWordPredictor) -> None:
    rng = np.random.default_rng(0)
    assert np.array_equal(predictor.drawn(PREFIXES, 3, 1, 1.0, rng), predictor.continued(PREFIXES, 3))
    assert np.array_equal(predictor.drawn(PREFIXES, 3, 7, 1e-4, rng), predictor.continued(PREFIXES, 3))


@pytest.mark.parametrize("top_k", [2, 7])
def test_rates_are_shares_of_draws_and_sum_to_one(predictor: NextWordPredictor, top_k: int) -> None:
    prefix, pairs = PREFIXES[2], [np.array([one, other]) for one in range(7) for other in range(7)]
    rates = np.exp(predictor.log_rates([prefix] * len(pairs), pairs, top_k, 0.7))
    assert rates.sum() == pytest.approx(1)
    assert (rates > 0).sum() == min(top_k, 5) ** 2, "special tokens are never drawn"
    drawn = predictor.drawn([prefix] * 2000, 2, top_k, 0.7, np.random.default_rng(1))
    shares = np.array([(drawn == pair).all(axis=1).mean() for pair in pairs])
    assert np.abs(shares - rates).max() < 0.05


def test_draws_repeat_with_their_source(predictor: NextWordPredictor) -> None:
    first, same = (predictor.drawn(PREFIXES, 5, 7, 1.0, np.random.default_rng(2)) for _ in range(2))
    assert np.array_equal(first, same)
