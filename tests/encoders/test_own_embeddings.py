"""An adversary's own embeddings: embedded once, and defended with fresh noise as often as it likes."""

from typing import Any

import numpy as np
import pytest

from core.access import SentenceEmbeddings
from core.defenses import Chain
from core.defenses.laplace import LaplaceNoise
from core.defenses.rounding import RoundOff
from core.encoders.own_embeddings import OwnEmbeddings
from core.runtime.seeding import generator

PLAIN = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
NOISY = Chain((LaplaceNoise(0.5),), "laplace")
BLURRED = Chain((LaplaceNoise(0.5), RoundOff(0)), "laplace, rounding")
ROUNDED = Chain((RoundOff(1),), "rounding")


def test_each_batch_gets_fresh_noise_that_the_seed_determines() -> None:
    draw = OwnEmbeddings(PLAIN, NOISY, 1).batches(np.arange(300))
    rng, again = generator(3), generator(3)
    (first, rows), (second, others) = draw(rng, 300), draw(rng, 300)
    assert not np.isclose(first - PLAIN[rows], second - PLAIN[others]).any(axis=1).any()
    for inputs, numbers in ((first, rows), (second, others)):
        repeated, same = draw(again, 300)
        assert np.array_equal(inputs, repeated) and np.array_equal(numbers, same)


@pytest.mark.parametrize("defenses", [None, ROUNDED])
def test_without_noise_nothing_is_drawn(defenses: Any) -> None:
    embeddings, rng = OwnEmbeddings(PLAIN, defenses, 1), generator(3)
    before = rng.bit_generator.state
    assert np.array_equal(embeddings.drawn(slice(None), rng), embeddings.vectors)
    assert np.array_equal(embeddings.copies(5, rng), embeddings.vectors)
    assert rng.bit_generator.state == before
    assert not embeddings.expected[1].any()


@pytest.mark.parametrize("defenses", [NOISY, BLURRED])
def test_mean_and_variance_of_the_release_are_those_of_many_draws(defenses: Chain) -> None:
    embeddings, rng = OwnEmbeddings(PLAIN, defenses, 1), generator(3)
    draws = embeddings.copies(400, rng).reshape(400, *PLAIN.shape)
    mean, variance = embeddings.expected
    assert np.abs(mean - draws.mean(axis=0)).mean() < 0.2
    assert np.allclose(variance, draws.var(axis=0).mean(axis=0), rtol=0.15)


def test_a_part_keeps_its_draw() -> None:
    embeddings, rows = OwnEmbeddings(PLAIN, NOISY, 1), np.array([5, 2, 9])
    assert np.array_equal(embeddings.select(rows).vectors, embeddings.vectors[rows])


def test_texts_are_embedded_once_however_often_they_are_defended() -> None:
    calls = []

    def encode(texts: Any) -> Any:
        calls.append(len(texts))
        return PLAIN[: len(texts)]

    access = SentenceEmbeddings(PLAIN[:2].copy(), encode, encode, NOISY, 7)
    known = access.known(["a", "b", "c"], defended=True)
    known.copies(10, generator(0))
    assert calls == [3] and access.queries == 3
    assert np.array_equal(known.vectors, access.query(["a", "b", "c"], defended=True))
    assert np.array_equal(access.query(["a", "b"]), PLAIN[:2])
    wider = access.beside(PLAIN[5:6])
    assert len(access.victims) == 2 and len(wider.victims) == 3 and wider.released == 2
    assert not wider.victims.flags.writeable


@pytest.mark.parametrize("length", [0.2, 1.0, 5.0])
def test_vectors_of_another_length_are_told_by_the_likelihood_of_their_noise(length: float) -> None:
    noisy = LaplaceNoise(0.1 * length)
    own = OwnEmbeddings(PLAIN, Chain((noisy,), "laplace"), 1)
    likelihood = own.log_likelihood(noisy(PLAIN * np.float32(length), generator(2)))
    assert likelihood is not None and (likelihood.argmax(axis=1) == np.arange(300)).mean() > 0.9
    drowned = own.log_likelihood(np.zeros((3, 8), np.float32))
    assert drowned is not None and np.isfinite(drowned).all()
    assert OwnEmbeddings(PLAIN).log_likelihood(PLAIN) is OwnEmbeddings(PLAIN, ROUNDED).log_likelihood(PLAIN) is None
