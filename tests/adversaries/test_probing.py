"""A forest that is asked tree by tree gives the bits that it gives as a whole."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from core.adversaries.pairs.probing import probability


@pytest.mark.parametrize("seed", range(3))
def test_a_forest_asked_tree_by_tree_gives_its_own_bits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts, member = rng.integers(0, 5, (60, 7)), rng.random(60) < 0.5
    forest = RandomForestClassifier(25, random_state=seed).fit(counts, member)
    for row in rng.integers(0, 6, (20, 1, 7)):
        assert probability(forest, row) == forest.predict_proba(row)[0, 1]
