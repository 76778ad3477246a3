"""A decoder of vectors writes texts that it never saw, in their order; from vectors that tell nothing, it guesses."""

from itertools import product

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.networks import vector_decoder
from core.networks.states import Arrays
from core.networks.transformer import Shape
from core.networks.vector_decoder import Course
from core.runtime.seeding import generator

WORDS, PLACES = 5, 3
TEXTS = [np.array(text, np.int64) for text in product(range(2, 2 + WORDS), repeat=PLACES)]
"""Tokens 0 and 1 pad and end."""
SHAPE = Shape(0, 2 + WORDS, False, layers=1, dimension=64, heads=2, feed_forward=128, dropout=(0.0, 0.0))
COURSE = Course(SHAPE, slots=3, epochs=60, batch_tokens=64, learning_rate=5e-3)


def codes() -> NDArray[np.float32]:
    """Return which word stands where, turned by a fixed rotation, (texts, words · places)."""
    rotation, _ = np.linalg.qr(generator(5, "rotation").normal(size=(WORDS * PLACES, WORDS * PLACES)))
    flat = [np.eye(WORDS)[text - 2].ravel() for text in TEXTS]
    return np.asarray(np.array(flat) @ rotation, np.float32)


def trained(vectors: NDArray[np.float32], rows: NDArray[np.int64], seed: int = 1, epochs: int = 30) -> Arrays:
    state: Arrays = {}
    for number in range(epochs):
        texts = [TEXTS[row] for row in rows]
        state = vector_decoder.train_epoch(state, vectors[rows], texts, COURSE, number, generator(seed, number))
    return state


@pytest.fixture(scope="module")
def split() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    order = generator(5, "split").permutation(len(TEXTS))
    return order[:105], order[105:]


@pytest.fixture(scope="module")
def state(split: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Arrays:
    """A decoder that learnt most texts."""
    return trained(codes(), split[0])


def read(state: Arrays, vectors: NDArray[np.float32], rows: NDArray[np.int64], beam: int) -> float:
    """Return the share of texts that are written word for word, as the likeliest of the beam."""
    written = vector_decoder.write(state, vectors[rows], COURSE, beam, PLACES + 2)
    return float(np.mean([np.array_equal(texts[0], TEXTS[row]) for texts, row in zip(written, rows, strict=True)]))


def test_texts_that_it_never_saw_are_written_in_order(
    split: tuple[NDArray[np.int64], NDArray[np.int64]], state: Arrays
) -> None:
    _, unseen = split
    assert read(state, codes(), unseen, 1) > 0.85
    assert read(state, codes(), unseen, 4) > 0.85
    unseen_texts = [TEXTS[row] for row in unseen]
    assert vector_decoder.mean_loss(state, codes()[unseen], unseen_texts, COURSE) < 0.2
    assert np.isnan(vector_decoder.mean_loss(state, codes()[:0], [], COURSE))


def test_vectors_that_tell_nothing_leave_it_at_chance(split: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
    known, unseen = split
    noise = generator(6, "noise").normal(size=codes().shape).astype(np.float32)
    state = trained(noise, known, epochs=30)
    assert vector_decoder.mean_loss(state, noise[known], [TEXTS[row] for row in known], COURSE) < 0.5, "learnt by heart"
    assert read(state, noise, unseen, 4) <= 1 / len(unseen), "chance is 1 in 125"
    unseen_texts = [TEXTS[row] for row in unseen]
    assert vector_decoder.mean_loss(state, noise[unseen], unseen_texts, COURSE) > PLACES / (PLACES + 1) * np.log(WORDS)


def test_a_beam_writes_different_texts_the_likeliest_first(
    split: tuple[NDArray[np.int64], NDArray[np.int64]], state: Arrays
) -> None:
    _, unseen = split
    for texts, row in zip(vector_decoder.write(state, codes()[unseen], COURSE, 4, PLACES + 6), unseen, strict=True):
        assert len({tuple(text) for text in texts}) == 4
        repeated = np.repeat(codes()[row][None], 4, axis=0)
        losses = [
            vector_decoder.mean_loss(state, vector[None], [text], COURSE) * (len(text) + 1)
            for vector, text in zip(repeated, texts, strict=True)
        ]
        assert losses == sorted(losses)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_network(
    split: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> None:
    one, same, other = (trained(codes(), split[0], seed, epochs=2) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["weight.reading.weight"], other["weight.reading.weight"])


@pytest.mark.parametrize(
    ("beam", "longest", "most"), [(8, 9, 128), (8, 65, 128), (8, 130, 64), (8, 513, 16), (256, 513, 1)]
)
def test_fewer_long_texts_are_written_at_once_so_that_memory_stays(
    beam: int, longest: int, most: int, state: Arrays, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []

    def noted(network: object, rows: torch.Tensor, width: int, limits: torch.Tensor) -> tuple[torch.Tensor, ...]:
        assert (width, limits.tolist()) == (beam, [longest] * len(rows))
        written.append(len(rows))
        return torch.zeros((len(rows), width, 1), dtype=torch.int64), torch.zeros((len(rows), width))

    monkeypatch.setattr(vector_decoder.beam_search, "finished", noted)
    assert len(vector_decoder.write(state, np.repeat(codes(), 2, axis=0), COURSE, beam, longest)) == 250
    assert max(written) == most
    assert sum(written) == 250
