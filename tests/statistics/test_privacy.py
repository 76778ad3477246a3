"""Noise is as much as a promise takes, and an audit disproves what is wrong and never, but by chance, what is right."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Incompatible
from core.statistics.privacy import Promise, epsilon_at_least, steps_per_epoch


def promise(epsilon: float, delta: float = 1e-5) -> Promise:
    return Promise(epsilon, delta, norm=1.0, words=("a",))


def test_one_look_at_everything_takes_little_more_noise_than_the_exact_gaussian_mechanism() -> None:
    exact = 3.7306  # for epsilon 1 and delta 1e-5 (Balle and Wang 2018, theorem 8)
    assert exact < promise(1.0).noise(documents=100, batch=100, steps=1) < 1.3 * exact


def test_noise_grows_with_what_is_promised_and_with_how_often_a_document_is_seen() -> None:
    noises = [promise(epsilon).noise(1000, 50, 100) for epsilon in (64, 8, 1)]
    assert noises == sorted(noises)
    assert promise(8).noise(1000, 50, 400) > noises[1]
    assert promise(8).noise(1000, 100, 100) > noises[1]
    assert promise(8, 1e-7).noise(1000, 50, 100) > noises[1]


@pytest.mark.parametrize(
    ("promised", "documents", "batch", "says"),
    [
        (promise(1, 1e-3), 2000, 50, "less than 1 / 2000, 5e-05"),
        (promise(1), 20, 50, "A batch of 20 would do"),
        (promise(0.01, 1e-9), 100, 100, "larger epsilon"),
    ],
)
def test_a_promise_that_cannot_be_kept_says_what_can(promised: Promise, documents: int, batch: int, says: str) -> None:
    with pytest.raises(Incompatible, match=says):
        promised.noise(documents, batch, steps=100)


@pytest.mark.parametrize(("documents", "batch", "steps"), [(100, 10, 10), (100, 30, 3), (5, 50, 1)])
def test_a_pass_draws_each_document_once_on_average(documents: int, batch: int, steps: int) -> None:
    assert steps_per_epoch(documents, batch) == steps


def test_guesses_that_are_all_right_disprove_what_would_make_them_a_one_in_twenty_event() -> None:
    bits = np.tile([True, False], (5, 40))
    guessed = 5 * 2 * 20
    heads = 0.05 ** (1 / guessed)
    bound, most = epsilon_at_least(bits, bits.astype(float), 0.0)
    assert bound == pytest.approx(math.log(heads / (1 - heads)) / 2, abs=2e-3), (
        "out means replaced, which is two changes"
    )
    assert bound == most


def test_a_failure_that_is_granted_weakens_what_is_disproved() -> None:
    bits = np.tile([True, False], (5, 40))
    bounds = [epsilon_at_least(bits, bits.astype(float), delta)[0] for delta in (0.0, 1e-5, 1e-4, 1e-3)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[1] < bounds[0]


def test_guesses_without_knowledge_and_no_guesses_disprove_nothing() -> None:
    rng = np.random.default_rng(0)
    bound, most = epsilon_at_least(rng.random((5, 40)) < 0.5, rng.random((5, 40)), 1e-5)
    assert bound == 0 < most
    assert epsilon_at_least(np.ones((2, 3), np.bool_), np.zeros((2, 3)), 1e-5) == (0, 0), "too few for a quarter"


@settings(max_examples=30)
@given(epsilon=st.floats(0.05, 3), seed=st.integers(0, 2**32 - 1))
def test_a_mechanism_that_keeps_its_promise_is_not_accused(epsilon: float, seed: int) -> None:
    """Randomised response says each bit truly with the very probability that an epsilon allows."""
    rng = np.random.default_rng(seed)
    accused = 0
    for _ in range(20):
        bits = rng.random((4, 50)) < 0.5
        truly = rng.random(bits.shape) < 1 / (1 + math.exp(-2 * epsilon))
        said = np.where(truly, bits, ~bits) + rng.random(bits.shape)
        accused += epsilon_at_least(bits, said, 0.0)[0] > epsilon
    assert accused <= 6, "more than 6 in 20 has a probability of 3 in 100,000 when each has one of 5 %"
