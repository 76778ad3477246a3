"""Shortened scores: no order, tie or sign changes, and most digits are gone."""

import numpy as np
import pytest

from core.statistics.digits import shortened


@pytest.mark.parametrize("near", [1.0, 1e-9])
def test_the_order_the_ties_and_the_side_of_zero_stay(near: float) -> None:
    rng = np.random.default_rng(3)
    scores = np.concatenate([rng.normal(size=900), 0.05 + near * rng.normal(size=100), np.zeros(5), [-np.inf, np.inf]])
    scores = rng.permutation(np.concatenate([scores, scores[:50]])).reshape(7, -1)
    kept = shortened(scores)
    assert kept.shape == scores.shape
    assert (np.unique(kept, return_inverse=True)[1] == np.unique(scores, return_inverse=True)[1]).all()
    assert (np.sign(kept) == np.sign(scores)).all()
    finite = np.isfinite(scores)
    assert np.abs(kept[finite] - scores[finite]).max() <= 2**-16 * np.abs(scores[finite]).max()


def test_digits_that_order_nothing_are_left_out() -> None:
    scores = np.array([[1 / 3, 2 / 3], [4 / 3, np.nan]])
    fractions, _ = np.frexp(shortened(scores)[np.isfinite(scores)])
    assert (fractions * 2**16 == np.rint(fractions * 2**16)).all()
    assert (shortened(np.array([1.0, 1.0 + 2**-52])) == [1.0, 1.0 + 2**-52]).all()
