"""Retrieval from a defended store: all neighbours without a defense, none but by chance behind much noise."""

import numpy as np

from core.targets import retrieval

PLAIN = np.random.default_rng(0).normal(size=(400, 32)).astype(np.float32)


def recall(noise: float) -> float:
    stored = PLAIN + np.random.default_rng(1).normal(0, noise, PLAIN.shape).astype(np.float32)
    found = retrieval.recall(PLAIN, stored, np.random.default_rng(2))
    assert found is not None and found.low <= found.value <= found.high
    return found.value


def test_noise_takes_neighbours_away_one_by_one() -> None:
    assert recall(0.0) == 1.0
    assert 1.0 > recall(0.2) > recall(1.0) > recall(100.0)
    found = retrieval.recall(PLAIN, PLAIN, np.random.default_rng(0))
    assert found is not None and found.chance == 10 / 399
    assert abs(recall(100.0) - 10 / 399) < 0.01


def test_only_directions_count_and_zeros_break_nothing() -> None:
    assert retrieval.recall(PLAIN, 7 * PLAIN, np.random.default_rng(0)).value == 1.0  # type: ignore[union-attr]
    assert retrieval.recall(PLAIN, 0 * PLAIN, np.random.default_rng(0)).value < 0.1  # type: ignore[union-attr]


def test_too_few_texts_have_no_ten_neighbours() -> None:
    assert retrieval.recall(PLAIN[:11], PLAIN[:11], np.random.default_rng(0)) is None
