"""Vectors keep their neighbours under little noise, and only chance ones under much."""

import numpy as np
import pytest

from core.defenses.vector_noise import VectorNoise
from core.networks.word_embedding import Embedding, neighbours_kept


@pytest.fixture
def embedding() -> Embedding:
    vectors = np.random.default_rng(0).normal(size=(400, 20)).astype(np.float32)
    return Embedding([f"word{number}" for number in range(400)], vectors)


def test_neighbours_do_not_depend_on_the_length_of_vectors(embedding: Embedding) -> None:
    assert neighbours_kept(embedding, embedding) == 1
    longer = Embedding(embedding.words, embedding.vectors * np.linspace(1, 9, 400, dtype=np.float32)[:, None])
    assert neighbours_kept(embedding, longer) == 1


def test_a_known_neighbour_is_lost() -> None:
    square = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1]], np.float32)
    words = ["a", "b", "c", "d"]
    crossed = square[[0, 2, 1, 3]]
    assert neighbours_kept(Embedding(words, square), Embedding(words, crossed), nearest=1) == 0
    assert neighbours_kept(Embedding(words[:1], square[:1]), Embedding(words[:1], square[:1])) == 1


def test_the_more_noise_the_fewer_neighbours_stay(embedding: Embedding) -> None:
    shares = []
    for scale in (0.05, 0.5, 50.0):
        noisy = VectorNoise(scale=scale).on_vectors(embedding, np.random.default_rng(1))
        shares.append(neighbours_kept(embedding, noisy))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.8
    assert shares[-1] == pytest.approx(10 / 399, abs=0.02)


def test_noise_has_the_requested_size(embedding: Embedding) -> None:
    noisy = VectorNoise(scale=2.0).on_vectors(embedding, np.random.default_rng(1))
    assert (noisy.vectors - embedding.vectors).std() == pytest.approx(2 * embedding.vectors.std(), rel=0.02)
    nothing = Embedding([], np.empty((0, 8), np.float32))
    assert VectorNoise().on_vectors(nothing, np.random.default_rng(1)).vectors.shape == (0, 8)
