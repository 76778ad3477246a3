"""Private training of the network of requests: each counts up to the norm, all the same, plus noise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.networks.bilstm_crf import Shape, Words, initial, restored, tensors
from core.networks.private_bilstm_crf import train_epoch_privately
from core.text.request_vocabulary import Encoded

SHAPE = Shape(6, 5, 2, intents=3, tags=4, trainable=False, characters=False, dropout=(0.0, 0.0))
SHAPES = [SHAPE, replace(SHAPE, characters=True)]
WORDS = Words.of([f"w{number}" for number in range(10)], np.random.default_rng(0).normal(size=(10, 6)).astype("f4"))
NORM = 0.05
FIRST_MOMENT = 0.1
"""The share of a gradient that Adam's first step remembers."""


def requests(count: int = 7) -> Encoded:
    rng = np.random.default_rng(1)
    words = tuple(rng.integers(10, size=rng.integers(1, 5)) for _ in range(count))
    return Encoded.of(words, tuple(rng.integers(4, size=len(row)) for row in words), rng.integers(3, size=count))


def one_step(shape: Shape, learnt: Encoded, noise: float = 0.0, rng: Any = None) -> dict[str, Any]:
    """Train one step that draws every request, unless chance has it otherwise."""
    state = initial(shape, WORDS, np.random.default_rng(0))
    after, _ = train_epoch_privately(
        shape,
        WORDS,
        state,
        learnt,
        batch=len(learnt),
        learning_rate=1e-3,
        norm=NORM,
        noise=noise,
        rng=rng or np.random.default_rng(2),
    )
    return after


def gradients(state: dict[str, Any]) -> NDArray[np.float64]:
    """Return what Adam was given in its first step, all parameters in one row."""
    moments = [state[name].ravel() for name in sorted(state) if name.startswith("exp_avg.")]
    return np.concatenate(moments).astype(np.float64) / FIRST_MOMENT


def own_gradient(shape: Shape, learnt: Encoded, row: int) -> NDArray[np.float64]:
    network = restored(shape, WORDS, initial(shape, WORDS, np.random.default_rng(0)))
    words, intents, tags = tensors(learnt, np.array([row]))
    network.losses(network.describe(words), intents, tags).sum().backward()
    named = dict(network.named_parameters())
    slopes = [torch.zeros_like(named[name]) if named[name].grad is None else named[name].grad for name in sorted(named)]
    return np.concatenate([slope.numpy().ravel() for slope in slopes]).astype(np.float64)


@pytest.mark.parametrize("shape", SHAPES, ids=["words", "spelt"])
def test_a_step_follows_the_sum_of_cut_gradients(shape: Shape) -> None:
    learnt = requests()
    own = [own_gradient(shape, learnt, row) for row in range(len(learnt))]
    assert min(np.linalg.norm(one) for one in own) > NORM, "the norm cuts each"
    expected = sum(one * NORM / np.linalg.norm(one) for one in own)
    assert gradients(one_step(shape, learnt)) == pytest.approx(expected, abs=1e-5)


def test_noise_has_the_size_that_is_asked_for() -> None:
    noise = gradients(one_step(SHAPE, requests(), noise=50.0)) - gradients(one_step(SHAPE, requests()))
    assert noise.std() == pytest.approx(50.0 * NORM, rel=0.1)


class NeverDrawn(np.random.Generator):
    """Chance that passes over every request."""

    def random(self, *shape: Any, **_: Any) -> Any:
        return np.ones(*shape)


def test_a_step_that_draws_no_request_adds_its_noise_all_the_same() -> None:
    after = one_step(SHAPE, requests(), noise=2.0, rng=NeverDrawn(np.random.PCG64(0)))
    assert gradients(after).std() == pytest.approx(2.0 * NORM, rel=0.1), "noise, and nothing else"


def test_what_is_left_goes_into_the_usual_network() -> None:
    after = one_step(SHAPE, requests(), noise=1.0)
    network = restored(SHAPE, WORDS, after)
    assert {name for name in after if name.startswith("weight.")} == {f"weight.{name}" for name in network.state_dict()}
    assert all(torch.isfinite(parameter).all() for parameter in network.parameters())
