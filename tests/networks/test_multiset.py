"""The policy predicts each word once, given those before, and its loss is that of multiset prediction."""

from math import log

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from core.networks import multiset
from core.networks.multiset import Linear, Training

TRAINING = Training(epochs=12, batch=50, learning_rate=0.02, dropped=0.0, longest=9)


def _flat(inputs: int, scores: list[float]) -> Linear:
    return np.zeros((len(scores), inputs), np.float32), np.array(scores, np.float32)


def test_the_loss_is_that_of_the_paper() -> None:
    """The set is a and c of words a to d; b is predicted, then a, and no step is left."""
    linear_scores = _flat(3, [1.0, 2.0, 0.5, -1.0])
    network = multiset._restored(multiset.initial(3, 4, 5, seed=1))
    sets = csr_array(np.array([[1, 0, 1, 0]], np.float32))
    loss = multiset._loss(network, torch.ones(1, 3), sets, linear_scores, TRAINING).item()
    a, b, c, d = np.exp(linear_scores[1].astype(float))
    first = -(log(a / (a + b + c + d)) + log(c / (a + b + c + d))) / 2
    second = -(log(a / (a + c + d)) + log(c / (a + c + d))) / 2
    assert loss == pytest.approx(first + second, rel=1e-5)


def test_a_predicted_word_leaves_the_set() -> None:
    linear_scores = _flat(3, [3.0, 2.0, 0.5, -1.0])
    network = multiset._restored(multiset.initial(3, 4, 5, seed=1))
    sets = csr_array(np.array([[1, 0, 1, 0], [0, 1, 0, 0]], np.float32))
    loss = multiset._loss(network, torch.ones(2, 3), sets, linear_scores, TRAINING).item()
    a, b, c, d = np.exp(linear_scores[1].astype(float))
    both = -(log(a / (a + b + c + d)) + log(c / (a + b + c + d))) / 2 - log(c / (b + c + d))
    assert loss == pytest.approx(both - log(b / (a + b + c + d)), rel=1e-5), "the smaller set takes one step only"


def test_untrained_it_predicts_by_the_linear_scores() -> None:
    linear_scores = (np.array([[1, 0], [0, 1], [-1, 0]], np.float32), np.zeros(3, np.float32))
    inputs = np.array([[2, 1], [-2, 1]], np.float32)
    words, shares = multiset.predict(multiset.initial(2, 3, 4, seed=2), inputs, linear_scores, longest=9)
    assert words.tolist() == [[0, 1, 2], [2, 1, 0]]
    np.testing.assert_allclose(shares[:, -1], 1, rtol=1e-6)
    np.testing.assert_allclose(shares[0, 0], np.exp(2) / np.exp([2, 1, -2]).sum(), rtol=1e-5)
    empty = multiset.predict(multiset.initial(2, 3, 4, seed=2), inputs[:0], linear_scores, longest=2)
    assert [array.shape for array in empty] == [(0, 2), (0, 2)]


def test_its_predictions_depend_on_those_before() -> None:
    """A set is words 0 and 2, or 1 and 3, at random.

    The first prediction is right half of the time, and its partner remains; otherwise the other pair remains.
    """
    rng = np.random.default_rng(3)
    inputs = rng.normal(size=(400, 4)).astype(np.float32)
    pairs = np.array([[1, 0, 1, 0], [0, 1, 0, 1]], np.float32)
    sets, linear_scores = csr_array(pairs[rng.integers(2, size=400)]), [_flat(4, [0.0] * 4)]
    state = multiset.initial(4, 4, 8, seed=3)
    losses = []
    for number in range(TRAINING.epochs):
        state = multiset.train_epoch(
            state, inputs, sets, linear_scores, TRAINING, number, np.random.default_rng(number)
        )
        losses.append(float(state["loss"]))
    assert losses[-1] < losses[0]
    words, shares = multiset.predict(state, inputs, linear_scores[0], longest=2)
    assert (words[:, 1] == (words[:, 0] + 2) % 4).mean() > 0.9
    np.testing.assert_allclose(np.median(shares, axis=0), [1 / 4, 1 / 2], atol=0.1)


def test_empty_sets_are_ignored_and_rows_have_their_own_scores() -> None:
    rng = np.random.default_rng(4)
    inputs = rng.normal(size=(6, 3)).astype(np.float32)
    sets = csr_array(np.array([[1, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0]], np.float32))
    poison = (np.full((2, 3), np.nan, np.float32), np.full(2, np.nan, np.float32))
    training = Training(epochs=1, batch=2, learning_rate=0.01, dropped=0.5, longest=2)
    linear_scores = [_flat(3, [0.0, 0.0]), poison]
    state = multiset.train_epoch(multiset.initial(3, 2, 4, seed=1), inputs, sets, linear_scores, training, 0, rng)
    assert np.isfinite(state["loss"]), "rows of odd number have no word"
    nothing = csr_array((6, 2), dtype=np.float32)
    state = multiset.train_epoch(multiset.initial(3, 2, 4, seed=1), inputs, nothing, linear_scores, training, 0, rng)
    assert state["loss"] == 0
