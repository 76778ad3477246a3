"""The projection separates matching pairs by shared directions, and stays the identity without any."""

import numpy as np

from core.networks.projection import learn


def cosines(first: np.ndarray, second: np.ndarray, weight: np.ndarray) -> np.ndarray:
    one, other = first @ weight, second @ weight
    return np.asarray((one * other).sum(axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1))


def pairs(shared: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs; matching ones agree in the first two of sixteen directions."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, 400, 16)).astype(np.float32)
    together = rng.random(400) < 0.5
    second[together, :2] += shared * first[together, :2]
    return first, second, together


def above(values: np.ndarray, inside: np.ndarray) -> float:
    return float(np.mean(values[inside][:, None] > values[~inside][None]))


def test_it_finds_the_shared_directions() -> None:
    first, second, together = pairs(2.0, 0)
    weight = learn(first, second, together, np.arange(400) // 4, np.random.default_rng(0))
    fresh = pairs(2.0, 1)
    plain, learnt = (above(cosines(fresh[0], fresh[1], projection), fresh[2]) for projection in (np.eye(16), weight))
    assert learnt > plain + 0.04


def test_without_shared_directions_it_stays_near_the_identity() -> None:
    first, second, together = pairs(0.0, 0)
    weight = learn(first, second, together, np.arange(400) // 4, np.random.default_rng(0))
    assert np.abs(weight - np.eye(16)).max() < 0.2


def test_a_single_group_leaves_the_identity() -> None:
    first, second, together = pairs(2.0, 0)
    weight = learn(first, second, together, np.zeros(400, np.int64), np.random.default_rng(0))
    assert np.array_equal(weight, np.eye(16)), "there are no held-out groups, so nothing is changed"
