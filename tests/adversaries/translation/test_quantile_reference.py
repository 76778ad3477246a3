"""Quantile regression: the level holds for pairs of every length, where one threshold for all does not."""

import numpy as np
import pytest

from core.adversaries.translation.quantile_reference import Difficulty, beyond_usual
from core.text.bitext import Bitext, Subcorpus


def bitext(*pairs: tuple[str, str]) -> Bitext:
    sources, targets = zip(*pairs, strict=True)
    return Bitext(sources, targets, (Subcorpus("one", "One"),), np.zeros(len(pairs), np.int64))


def test_pairs_are_described_by_length_rarity_and_unknown_words() -> None:
    known = Difficulty.of(bitext(("der hund", "the dog"), ("der baum", "the tree")))
    rows = known.describe(bitext(("der hund", "the cat"), ("der der der der", "the")))
    assert rows.shape == (2, 8)
    assert rows[:, 0] == pytest.approx(np.log([2, 4]))
    assert rows[0, 1] == pytest.approx(np.log([5 / 3, 5 / 2]).mean()) and rows[1, 1] == pytest.approx(np.log(5 / 3))
    assert rows[:, 7].tolist() == [0.5, 0.0], "the cat is in no pair"


def test_the_level_holds_for_easy_and_for_hard_pairs() -> None:
    rng = np.random.default_rng(5)
    hard = rng.random((4000, 1))
    likely = -3 * hard[:, 0] + 0.2 * rng.normal(size=4000)
    unseen, tested = slice(0, 2000), slice(2000, 4000)
    beyond = beyond_usual(likely[unseen], hard[unseen], hard[tested], likely[tested]) > 0
    for half in (hard[tested, 0] < 0.5, hard[tested, 0] >= 0.5):
        assert 0.03 < beyond[half].mean() < 0.07
    members = beyond_usual(likely[unseen], hard[unseen], hard[tested], likely[tested] + 1) > 0
    assert members.mean() > 0.95
    threshold = np.quantile(likely[unseen], 0.95)
    assert (likely[tested] + 1 > threshold)[hard[tested, 0] > 0.5].mean() < 0.1, (
        "one threshold for all finds no hard one"
    )
