"""A policy names each word once, knows what it has named, and its loss is that of multi-set prediction."""

from math import log

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from core.networks import multiset
from core.networks.multiset import Linear, Training

COURSE = Training(epochs=12, batch=50, learning_rate=0.02, dropped=0.0, longest=9)


def _flat(inputs: int, scores: list[float]) -> Linear:
    return np.zeros((len(scores), inputs), np.float32), np.array(scores, np.float32)


def test_the_loss_is_that_of_the_paper() -> None:
    """Of words a to d a and c stand there; b is named, then a, then no step is left."""
    known = _flat(3, [1.0, 2.0, 0.5, -1.0])
    network = multiset._restored(multiset.initial(3, 4, 5, seed=1))
    sets = csr_array(np.array([[1, 0, 1, 0]], np.float32))
    loss = multiset._loss(network, torch.ones(1, 3), sets, known, COURSE).item()
    a, b, c, d = np.exp(known[1].astype(float))
    first = -(log(a / (a + b + c + d)) + log(c / (a + b + c + d))) / 2
    second = -(log(a / (a + c + d)) + log(c / (a + c + d))) / 2
    assert loss == pytest.approx(first + second, rel=1e-5)


def test_a_word_that_is_named_is_left_no_more() -> None:
    known = _flat(3, [3.0, 2.0, 0.5, -1.0])
    network = multiset._restored(multiset.initial(3, 4, 5, seed=1))
    sets = csr_array(np.array([[1, 0, 1, 0], [0, 1, 0, 0]], np.float32))
    loss = multiset._loss(network, torch.ones(2, 3), sets, known, COURSE).item()
    a, b, c, d = np.exp(known[1].astype(float))
    both = -(log(a / (a + b + c + d)) + log(c / (a + b + c + d))) / 2 - log(c / (b + c + d))
    assert loss == pytest.approx(both - log(b / (a + b + c + d)), rel=1e-5), "and the smaller set takes one step only"


def test_untrained_it_names_by_the_linear_scores() -> None:
    known = (np.array([[1, 0], [0, 1], [-1, 0]], np.float32), np.zeros(3, np.float32))
    inputs = np.array([[2, 1], [-2, 1]], np.float32)
    words, shares = multiset.predict(multiset.initial(2, 3, 4, seed=2), inputs, known, longest=9)
    assert words.tolist() == [[0, 1, 2], [2, 1, 0]]
    np.testing.assert_allclose(shares[:, -1], 1, rtol=1e-6)
    np.testing.assert_allclose(shares[0, 0], np.exp(2) / np.exp([2, 1, -2]).sum(), rtol=1e-5)
    nobody = multiset.predict(multiset.initial(2, 3, 4, seed=2), inputs[:0], known, longest=2)
    assert [found.shape for found in nobody] == [(0, 2), (0, 2)]


def test_it_knows_what_it_has_named() -> None:
    """Words 0 and 2 stand there, or 1 and 3, and nothing tells which.

    Half of the time the first word named is right, and its partner is all that is left; else the other pair is.
    """
    rng = np.random.default_rng(3)
    inputs = rng.normal(size=(400, 4)).astype(np.float32)
    pairs = np.array([[1, 0, 1, 0], [0, 1, 0, 1]], np.float32)
    sets, known = csr_array(pairs[rng.integers(2, size=400)]), [_flat(4, [0.0] * 4)]
    state = multiset.initial(4, 4, 8, seed=3)
    losses = []
    for number in range(COURSE.epochs):
        state = multiset.train_epoch(state, inputs, sets, known, COURSE, number, np.random.default_rng(number))
        losses.append(float(state["loss"]))
    assert losses[-1] < losses[0]
    words, shares = multiset.predict(state, inputs, known[0], longest=2)
    assert (words[:, 1] == (words[:, 0] + 2) % 4).mean() > 0.9
    np.testing.assert_allclose(np.median(shares, axis=0), [1 / 4, 1 / 2], atol=0.1)


def test_sets_without_words_teach_nothing_and_rows_meet_their_own_scores_only() -> None:
    rng = np.random.default_rng(4)
    inputs = rng.normal(size=(6, 3)).astype(np.float32)
    sets = csr_array(np.array([[1, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0]], np.float32))
    poison = (np.full((2, 3), np.nan, np.float32), np.full(2, np.nan, np.float32))
    course = Training(epochs=1, batch=2, learning_rate=0.01, dropped=0.5, longest=2)
    known = [_flat(3, [0.0, 0.0]), poison]
    state = multiset.train_epoch(multiset.initial(3, 2, 4, seed=1), inputs, sets, known, course, 0, rng)
    assert np.isfinite(state["loss"]), "rows of odd number have no word"
    nothing = csr_array((6, 2), dtype=np.float32)
    state = multiset.train_epoch(multiset.initial(3, 2, 4, seed=1), inputs, nothing, known, course, 0, rng)
    assert state["loss"] == 0
